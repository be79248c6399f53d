"""Makes right files wrong, as people and broken disks do. Some stay right, which is fine: both builds have to agree on that as well."""

import re
from random import Random
from typing import Callable

Mutation = Callable[[bytes, Random], bytes]


def mutate(text: bytes, random: Random) -> bytes:
    """The text with one to three mutations."""
    for mutation in random.choices(MUTATIONS, k=random.choice([1, 1, 1, 2, 3])):
        text = mutation(text, random)
    return text


def _lines(text: bytes) -> list[bytes]:
    return text.split(b"\n")


def drop_line(text: bytes, random: Random) -> bytes:
    lines = _lines(text)
    del lines[random.randrange(len(lines))]
    return b"\n".join(lines)


def duplicate_line(text: bytes, random: Random) -> bytes:
    lines = _lines(text)
    index = random.randrange(len(lines))
    lines.insert(random.choice([index, random.randrange(len(lines) + 1)]), lines[index])
    return b"\n".join(lines)


def drop_entry(text: bytes, random: Random) -> bytes:
    """Drops what stands between two commas or braces."""
    return _at_random_match(rb"[^,{}\[\]\n]+,? ?", text, random, lambda found: b"")


def duplicate_entry(text: bytes, random: Random) -> bytes:
    return _at_random_match(rb"[^,{}\[\]\n]+, ?", text, random, lambda found: found * 2)


def rename_by_one_letter(text: bytes, random: Random) -> bytes:
    def rename(word: bytes) -> bytes:
        place = random.randrange(len(word))
        letter = random.choice(b"abceinorst-_1").to_bytes(1, "big")
        return random.choice(
            [
                word[:place] + word[place + 1 :],
                word[:place] + letter + word[place:],
                word[:place] + letter + word[place + 1 :],
                word[place:] + word[:place],
                word.upper(),
            ]
        )

    return _at_random_match(rb"[A-Za-z][\w-]*", text, random, rename)


def swap_words(text: bytes, random: Random) -> bytes:
    """Writes one word of the file in the place of another."""
    words = re.findall(rb"[\w.+-]+", text)
    return _at_random_match(rb"[\w.+-]+", text, random, lambda _: random.choice(words)) if words else text


def swap_type(text: bytes, random: Random) -> bytes:
    """Writes a list, a map, a number or nothing in the place of a value."""
    others = [b"[]", b"{}", b"[ a ]", b"{ a: b }", b"3", b"-1", b"on", b"", b'""', b"null", b"[[a]]", b"{ go: { go: a } }"]
    return _at_random_match(rb"(?<=: )[^,{}\[\]\n]+", text, random, lambda _: random.choice(others))


def change_number(text: bytes, random: Random) -> bytes:
    numbers = "0 -1 1 31 33 64 1001 999999999 1000000000 -999999999 9223372036854775808 0.1234567 1e3 0x10 1. .5 -0 ++1 =3 1s..4s n".split()
    return _at_random_match(rb"[+-]?\d+(\.\d+)?", text, random, lambda _: random.choice(numbers).encode())


def change_unit(text: bytes, random: Random) -> bytes:
    units = [b"", b"ms", b"s", b"m", b"h", b"us", b"Hz", b"kHz", b"MS", b" s"]
    return _at_random_match(rb"(?<=\d)(ms|s|m|k?Hz)\b", text, random, lambda _: random.choice(units))


def change_relation(text: bytes, random: Random) -> bytes:
    relations = [b"=", b"===", b"<>", b"=>", b"!", b"and", b"or", b"+", b"", b"<", b"!= not", b"in"]
    return _at_random_match(rb"==|!=|<=|>=|<|>|\band\b", text, random, lambda _: random.choice(relations))


def drop_sign(text: bytes, random: Random) -> bytes:
    """Drops a brace, a bracket, a colon, a comma, a quote or a dot."""
    return _at_random_match(rb"[{}\[\]:,\"'.-]", text, random, lambda _: b"")


def insert_sign(text: bytes, random: Random) -> bytes:
    signs = "{ } [ ] : , \" ' - # & * ! | > % @ ` ~ \\ = + . ( ) ? $ ^ ; / \t ' '".split(" ")
    return _insert(text, random.choice(signs).encode(), random)


def insert_control_character(text: bytes, random: Random) -> bytes:
    characters = ["\0", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\u200b", "\ufeff", "\ufffe", "\r", "\v"]
    return _insert(text, random.choice(characters).encode(), random)


def insert_what_is_not_utf8(text: bytes, random: Random) -> bytes:
    return _insert(text, random.choice([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf5\x80\x80\x80", b"\x80"]), random)


def insert_letters_of_the_world(text: bytes, random: Random) -> bytes:
    return _insert(text, random.choice(["é", "日本", "😀", "e\u0301", "ß", "\u00a0"]).encode(), random)


def indent_by_tab(text: bytes, random: Random) -> bytes:
    return _at_random_match(rb"(?<=\n) +", text, random, lambda _: b"\t")


def shift_line(text: bytes, random: Random) -> bytes:
    """Indents one line by another number of blanks."""
    lines = _lines(text)
    index = random.randrange(len(lines))
    lines[index] = b" " * random.randrange(9) + lines[index].lstrip()
    return b"\n".join(lines)


def move_line(text: bytes, random: Random) -> bytes:
    lines = _lines(text)
    line = lines.pop(random.randrange(len(lines)))
    lines.insert(random.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def end_lines_by_crlf(text: bytes, random: Random) -> bytes:
    return text.replace(b"\n", b"\r\n" if random.random() < 0.8 else b"\r")


def begin_with_byte_order_mark(text: bytes, random: Random) -> bytes:
    return random.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb"]) + text


def encode_as_utf16(text: bytes, random: Random) -> bytes:
    return text.decode("utf-8", "replace").encode("utf-16")


def nest_deeply(text: bytes, random: Random) -> bytes:
    depth = random.choice([5, 30, 64, 65, 100, 2000])
    opening, closing = random.choice([(b"[", b"]"), (b"{ a: ", b"}")])
    return _at_random_match(rb"(?<=: )[^,{}\[\]\n]+", text, random, lambda _: opening * depth + closing * depth)


def lengthen_name(text: bytes, random: Random) -> bytes:
    length = random.choice([40, 41, 63, 64, 65, 300, 5000])
    return _at_random_match(rb"[A-Za-z][\w-]*", text, random, lambda word: (word * length)[:length])


def cut_off(text: bytes, random: Random) -> bytes:
    return text[: random.randrange(len(text) + 1)]


def empty(text: bytes, random: Random) -> bytes:
    return random.choice([b"", b"\n", b"  \n\n", b"# nothing\n", b"---\n", b"{}\n", b"[]\n", b"a\n", b"~\n", b"...\n"])


def add_document(text: bytes, random: Random) -> bytes:
    return random.choice([b"--- \n" + text, text + b"---\n" + text, text + b"...\n", b"%YAML 1.1\n---\n" + text, b"%TAG ! a\n---\n" + text])


def anchor(text: bytes, random: Random) -> bytes:
    marks = [b"&a ", b"*a ", b"!!str ", b"!a ", b"<<: ", b"? "]
    return _at_random_match(rb"(?<=: )(?=[^\n])", text, random, lambda _: random.choice(marks))


def repeat_section(text: bytes, random: Random) -> bytes:
    """A file of hundreds of errors, or of hundreds of states."""
    return text + b"\n".join(_lines(text)[-random.randint(1, 20) :]) * random.choice([2, 150])


MUTATIONS: list[Mutation] = [
    drop_line, duplicate_line, drop_entry, duplicate_entry, rename_by_one_letter, rename_by_one_letter, swap_words, swap_words,
    swap_type, change_number, change_number, change_unit, change_relation, drop_sign, insert_sign, insert_control_character,
    insert_what_is_not_utf8, insert_letters_of_the_world, indent_by_tab, shift_line, move_line, end_lines_by_crlf,
    begin_with_byte_order_mark, encode_as_utf16, nest_deeply, lengthen_name, cut_off, empty, add_document, anchor, repeat_section,
]  # fmt: skip


def _insert(text: bytes, what: bytes, random: Random) -> bytes:
    place = random.randrange(len(text) + 1)
    return text[:place] + what + text[place:]


def _at_random_match(pattern: bytes, text: bytes, random: Random, replace: Callable[[bytes], bytes]) -> bytes:
    """The text with one of the places that match replaced; the text itself where none does."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = random.choice(found)
    return text[: match.start()] + replace(match.group()) + text[match.end() :]

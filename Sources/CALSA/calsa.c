#include "calsa.h"

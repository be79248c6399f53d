// The protocols of kinds and what their requirements use, for kinds outside of this package.
@_exported import PanelEngine
@_exported import PanelLanguage
@_exported import PanelWiring

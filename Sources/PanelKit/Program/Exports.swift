// An application that imports the command also writes kinds.
@_exported import PanelKinds

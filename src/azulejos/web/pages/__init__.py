"""Pages and forms over HTTP."""

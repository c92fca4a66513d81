"""Azul without a server: the web application in a worker of the browser, as a folder of static files."""

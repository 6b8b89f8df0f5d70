"""The package as strangers get it: built, looked at, and tried without the repository."""

@echo off
rem The command on Windows, in the packaged app: with the Node that lies beside it.
"%~dp0..\node\node.exe" --no-warnings=ExperimentalWarning "%~dp0..\dist\cli.js" %*

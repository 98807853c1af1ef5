@rem npm start runs "exec node ...", so that a signal to npm reaches the server. Windows has no exec, and finds this.
@%*

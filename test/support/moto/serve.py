"""Serves moto on a free loopback port, which it prints. Ends when its stdin does: with the test, however that ends."""

import os
import sys
import threading

# no authentication until a test asks for it by /moto-api/reset-auth
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "1000000000"

from moto.moto_server.werkzeug_app import (  # noqa: E402
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from werkzeug.serving import make_server  # noqa: E402


def end_with_stdin() -> None:
    sys.stdin.read()
    os._exit(0)


app = DomainDispatcherApplication(create_backend_app)
server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=MotoRequestHandler)
os.environ["MOTO_PORT"] = str(server.port)
threading.Thread(target=end_with_stdin, daemon=True).start()
print(server.port, flush=True)
server.serve_forever()

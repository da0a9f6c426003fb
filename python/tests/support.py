"""What the tests share: the server that they run against, peers that answer by a script, and a proxy that cuts connections."""
from __future__ import annotations

import os
import smtplib
import socket
import threading
import time
import uuid
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from postrider import Postrider

HANG_SECONDS = 300.0
"""Only what hangs takes so long."""


def client(**options: Any) -> Postrider:
    """Returns a client of the server that the tests run against."""
    return Postrider(**options)


def new_inbox(owner: Optional[Postrider] = None) -> Any:
    return (owner or client()).inboxes.create(local_part=f"py-{uuid.uuid4().hex[:12]}")


def deliver(to: str, subject: str, text: str = "Hello.", html: Optional[str] = None) -> None:
    """Delivers a mail by SMTP, as a stranger does."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Ada <ada@remote.example>", to, subject
    mail["Message-ID"] = f"<{uuid.uuid4()}@remote.example>"
    mail.set_content(text)
    if html is not None:
        mail.add_alternative(html, subtype="html")
    with smtplib.SMTP("127.0.0.1", int(os.environ["POSTRIDER_SMTP_PORT"]), timeout=HANG_SECONDS) as smtp:
        smtp.send_message(mail)


def eventually(what: str, look: Callable[[], Any]) -> Any:
    """Calls `look` until it finds something, and returns that."""
    end = time.monotonic() + HANG_SECONDS
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")


class Request(NamedTuple):
    """A request that a scripted peer got."""

    method: str
    path: str
    headers: Dict[str, str]
    body: bytes


Answer = Tuple[int, Dict[str, str], bytes]
CUT: Answer = (0, {}, b"")
"""Cuts the connection in place of an answer."""
HALF: Answer = (-1, {}, b"")
"""Cuts the connection in the middle of an answer."""
SILENT: Answer = (-2, {}, b"")
"""Never answers."""


class Peer:
    """A server that gives one answer after another, and the last one from then on."""

    def __init__(self, *answers: Answer) -> None:
        self.requests: List[Request] = []
        self.connections = 0
        self.hung_up = threading.Event()
        """Set once a client has closed a connection on which it waited."""
        self._answers = list(answers)
        peer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                peer.connections += 1
                super().setup()

            def answer(self) -> None:
                length = int(self.headers.get("content-length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                peer.requests.append(Request(self.command, self.path, headers, self.rfile.read(length)))
                status, more, body = peer._answers.pop(0) if len(peer._answers) > 1 else peer._answers[0]
                if status == SILENT[0]:
                    self.connection.settimeout(HANG_SECONDS)
                    self.connection.recv(1)
                    peer.hung_up.set()
                if status <= 0:
                    self.close_connection = True
                    if status == HALF[0]:
                        self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
                    return
                self.send_response(status)
                for name, value in {"content-type": "application/json", **more}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PATCH = do_DELETE = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def client(self, **options: Any) -> Postrider:
        return Postrider(api_key="pr_test_key", base_url=self.base_url, **options)

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def error(status: int, code: str, headers: Optional[Dict[str, str]] = None, more: str = "") -> Answer:
    body = f'{{"error": "{code}", "message": "No.", "request_id": "req_1"{more}}}'
    return (status, headers or {}, body.encode())


def ok(body: str = "{}") -> Answer:
    return (200, {}, body.encode())


class Proxy:
    """Passes connections on to the server of the tests, and cuts them when it is told to."""

    def __init__(self) -> None:
        host, _, port = os.environ["POSTRIDER_BASE_URL"].split("/")[2].partition(":")
        self._target = (host, int(port))
        self._open: List[socket.socket] = []
        self._lock = threading.Lock()
        self.requests: List[bytes] = []
        """The first line of each request without a body."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        with self._lock:
            cut, self._open = self._open, []
        for one in cut:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(self._target)
            with self._lock:
                self._open += [near, far]
            threading.Thread(target=self._pass, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, False), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, is_near: bool) -> None:
        try:
            while part := source.recv(65_536):
                if is_near and part.startswith(b"GET "):
                    self.requests.append(part.split(b"\r\n")[0])
                target.sendall(part)
        except OSError:
            pass
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

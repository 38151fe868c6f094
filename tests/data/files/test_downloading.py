"""Downloads from a local server that fails on demand."""

import hashlib
import http.server
import io
import re
import tarfile
import threading

import numpy as np
import pytest

from disentangle_tf.data.files import downloading
from disentangle_tf.data.files.downloading import check_file, download
from disentangle_tf.data.files.official_files import OfficialFile
from disentangle_tf.errors import UserError

CONTENT = np.random.default_rng(0).bytes(100_000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class _Server(http.server.ThreadingHTTPServer):
  """Serves CONTENT at every address but /missing, and records requested ranges."""

  cuts = ()  # numbers of bytes after which the next answers break off
  failures = 0  # number of answers to refuse with 503
  takes_ranges = True

  def __init__(self):
    super().__init__(("127.0.0.1", 0), _Handler)
    self.ranges = []

  def url(self, name="file.bin"):
    return f"http://127.0.0.1:{self.server_port}/{name}"

  def handle_error(self, request, client_address):
    pass


class _Handler(http.server.BaseHTTPRequestHandler):
  def do_GET(self):  # noqa: N802 (http.server requires this name)
    server = self.server
    asked = self.headers.get("Range")
    server.ranges.append(asked)
    if self.path == "/missing":
      return self.send_error(404)
    if server.failures:
      server.failures -= 1
      return self.send_error(503)
    start = int(re.match(r"bytes=(\d+)-", asked)[1]) if asked else 0
    start = start if server.takes_ranges else 0
    if asked and start >= len(CONTENT):
      self.send_response(416)
      self.send_header("Content-Range", f"bytes */{len(CONTENT)}")
      return self.end_headers()
    self.send_response(206 if start else 200)
    self.send_header("Content-Length", str(len(CONTENT) - start))
    self.end_headers()
    cut, *server.cuts = server.cuts or (len(CONTENT),)
    return self.wfile.write(CONTENT[start : start + cut])

  def log_message(self, *arguments):
    pass


@pytest.fixture
def server(monkeypatch):
  for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
    monkeypatch.delenv(name, raising=False)
  with _Server() as made:
    thread = threading.Thread(target=made.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.shutdown()
    thread.join()


def _file(*urls, size=100_000, sha256=SHA256):
  return OfficialFile("shapes3d", "file.bin", urls, size, sha256)


def test_fetches_and_names_a_whole_file(server, tmp_path):
  assert download(_file(server.url()), tmp_path / "new") == SHA256
  assert (tmp_path / "new" / "file.bin").read_bytes() == CONTENT
  assert [path.name for path in (tmp_path / "new").iterdir()] == ["file.bin"]


def test_what_is_there_is_kept(server, tmp_path):
  (tmp_path / "file.bin").write_bytes(CONTENT)
  assert download(_file(server.url()), tmp_path) == SHA256
  assert server.ranges == []


def test_a_broken_connection_is_resumed(server, tmp_path):
  server.cuts = [30_000, 30_000]
  download(_file(server.url()), tmp_path, pause=0)
  assert (tmp_path / "file.bin").read_bytes() == CONTENT
  assert server.ranges == [None, "bytes=30000-", "bytes=60000-"]


def test_an_earlier_calls_part_is_continued(server, tmp_path):
  (tmp_path / "file.bin.part").write_bytes(CONTENT[:70_000])
  download(_file(server.url()), tmp_path)
  assert (tmp_path / "file.bin").read_bytes() == CONTENT
  assert server.ranges == ["bytes=70000-"]


def test_a_complete_part_needs_no_more_bytes(server, tmp_path):
  (tmp_path / "file.bin.part").write_bytes(CONTENT)
  download(_file(server.url()), tmp_path)
  assert (tmp_path / "file.bin").read_bytes() == CONTENT


def test_a_part_that_is_too_long_is_dropped(server, tmp_path):
  (tmp_path / "file.bin.part").write_bytes(CONTENT + b"more")
  download(_file(server.url()), tmp_path, pause=0)
  assert (tmp_path / "file.bin").read_bytes() == CONTENT


def test_a_server_without_ranges_sends_all_again(server, tmp_path):
  server.takes_ranges = False
  server.cuts = [30_000]
  download(_file(server.url()), tmp_path, pause=0)
  assert (tmp_path / "file.bin").read_bytes() == CONTENT


def test_a_busy_server_is_asked_again(server, tmp_path):
  server.failures = 2
  download(_file(server.url()), tmp_path, pause=0)
  assert server.ranges == [None] * 3


def test_the_next_address_is_tried(server, tmp_path):
  download(_file(server.url("missing"), server.url()), tmp_path)
  assert (tmp_path / "file.bin").read_bytes() == CONTENT


def _message(file, folder, **options):
  with pytest.raises(UserError) as raised:
    download(file, folder, pause=0, **options)
  assert "\n" not in str(raised.value)
  return str(raised.value)


def test_giving_up_says_how_to_go_on(server, tmp_path):
  message = _message(_file(server.url("missing")), tmp_path)
  assert "HTTP 404" in message and "prepare shapes3d --from FOLDER" in message
  server.failures = 9
  assert "HTTP 503" in _message(_file(server.url()), tmp_path, attempts=2)
  server.failures = 0
  server.cuts = [10, 0, 0]
  message = _message(_file(server.url()), tmp_path, attempts=3)
  assert "broke after 10 bytes" in message
  assert (tmp_path / "file.bin.part").read_bytes() == CONTENT[:10]


def test_a_machine_that_is_not_there(tmp_path):
  file = _file("http://127.0.0.1:9/file.bin")
  assert "refused" in _message(file, tmp_path, attempts=2)


@pytest.mark.parametrize(
  ("expected", "part"),
  [({"sha256": "0" * 64}, f"sha256 is {SHA256}"), ({"size": 5}, "expected 5")],
)
def test_a_wrong_file_is_refused(expected, part, server, tmp_path):
  file = _file(server.url(), **expected)
  assert part in _message(file, tmp_path)
  assert not list(tmp_path.iterdir())
  (tmp_path / "file.bin").write_bytes(CONTENT)
  with pytest.raises(UserError, match=part):
    check_file(file, tmp_path / "file.bin")


def _write_archive(path, members):
  """A tar archive of {name: content}."""
  with tarfile.open(path, "w:gz") as archive:
    for name, content in members.items():
      member = tarfile.TarInfo(name)
      member.size = len(content)
      archive.addfile(member, io.BytesIO(content))
  return path


CARS = {"data/cars/car_000_mesh.mat": b"zero", "data/cars/car_001_mesh.mat": b"one"}


@pytest.fixture
def folder(tmp_path):
  return tmp_path / "home" / "cars"


def test_only_the_cars_are_taken(folder, tmp_path):
  others = {"data/cars/list.txt": b"x", "data/sprites/a.mat": b"x", "cars.mat": b"x"}
  archive = _write_archive(tmp_path / "a.tar.gz", {**others, **CARS})
  downloading.unpack_cars(archive, folder)
  found = {path.name: path.read_bytes() for path in folder.iterdir()}
  assert found == {"car_000_mesh.mat": b"zero", "car_001_mesh.mat": b"one"}


def test_a_link_is_not_followed(folder, tmp_path):
  archive = tmp_path / "a.tar.gz"
  with tarfile.open(archive, "w:gz") as members:
    link = tarfile.TarInfo("data/cars/evil.mat")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    members.addfile(link)
    real = tarfile.TarInfo("data/cars/car_000_mesh.mat")
    members.addfile(real, io.BytesIO())
  downloading.unpack_cars(archive, folder)
  assert [path.name for path in folder.iterdir()] == ["car_000_mesh.mat"]


def _refused(archive, folder, part):
  with pytest.raises(UserError, match=part) as raised:
    downloading.unpack_cars(archive, folder)
  assert str(archive) in str(raised.value) and "\n" not in str(raised.value)
  assert not folder.exists() and not list(folder.parent.iterdir())


@pytest.mark.parametrize("member", ["../evil.mat", "/cars/evil.mat"])
def test_an_archive_that_leaves_its_folder_is_refused(member, folder, tmp_path):
  archive = _write_archive(tmp_path / "a.tar.gz", {**CARS, member: b"evil"})
  _refused(archive, folder, "unsafe name or size")
  assert not list(tmp_path.rglob("evil.mat"))


def test_a_member_of_monstrous_size_is_refused(folder, tmp_path, monkeypatch):
  monkeypatch.setattr(downloading, "_LARGEST", 3)
  _refused(_write_archive(tmp_path / "a.tar.gz", CARS), folder, "unsafe name or size")


def test_an_archive_without_cars_is_refused(folder, tmp_path):
  archive = _write_archive(tmp_path / "a.tar.gz", {"data/cars/list.txt": b"x"})
  _refused(archive, folder, r"it has no cars/\*.mat")


def test_a_truncated_archive_is_refused(folder, tmp_path):
  content = {f"data/cars/car_{i:03}_mesh.mat": bytes(range(256)) * 40 for i in range(9)}
  archive = _write_archive(tmp_path / "a.tar.gz", content)
  archive.write_bytes(archive.read_bytes()[:-100])
  _refused(archive, folder, "truncated or damaged")

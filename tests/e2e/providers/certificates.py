"""An authority, and who it vouches for, made by openssl."""

import subprocess


def openssl(*words):
    subprocess.run(["openssl", *[str(word) for word in words]], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


class Authority:
    def __init__(self, directory):
        self.directory = directory
        directory.mkdir()
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", f"/CN={directory.name}", "-keyout", directory / "ca.key", "-out", directory / "ca.crt")

    def issue(self, folder, trusted=None, names="IP:127.0.0.1"):
        """A folder as a Secret of certificates is mounted, for 127.0.0.1 or other names; it trusts us, or another one."""
        folder.mkdir(exist_ok=True)
        request, extensions = folder / "request", folder / "extensions"
        extensions.write_text(f"subjectAltName={names}\n", encoding="utf-8")
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={folder.name}",
                "-keyout", folder / "tls.key", "-out", request)
        openssl("x509", "-req", "-days", "2", "-in", request, "-CA", self.directory / "ca.crt",
                "-CAkey", self.directory / "ca.key", "-CAcreateserial", "-extfile", extensions, "-out", folder / "tls.crt")
        (folder / "ca.crt").write_bytes(((trusted or self).directory / "ca.crt").read_bytes())
        return folder

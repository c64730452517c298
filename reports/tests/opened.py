"""A page of a report in Chromium, and reports to make pages of."""

import json
import subprocess

# Bytes that a page has at most.
MOST = 2_000_000
# A text that does something where it is taken for anything but text.
HOSTILE = "</script><script>hit=1</script><img src=x onerror=hit=1>\"'><svg onload=hit=1>{{hit=1}}"


class Opened:
    """A page, and everything that it complained of or asked for."""

    def __init__(self, browser, path, **context):
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, **context)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append("a dialog"), dialog.dismiss()))
        self.page.on("request", lambda asked: asked.url.startswith(self.url) or self.complaints.append(asked.url))
        self.url = path.as_uri()
        self.page.goto(self.url)
        if context.get("java_script_enabled", True):
            self.page.wait_for_selector("body[data-ready]")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            assert not self.complaints, self.complaints
        self.context.close()

    def open(self, variant):
        """Opens the page of a variant by its address."""
        self.page.evaluate("variant => location.hash = '#/' + encodeURIComponent(variant)", variant)
        self.page.wait_for_function("variant => document.querySelector('#variant h2')?.textContent === variant"
                                    " && !document.querySelector('#variant').hidden", arg=variant)

    def rows(self):
        return self.page.locator("#variants tbody tr")

    def count(self):
        """How many variants the table says that it has found."""
        return int(self.page.locator("#shown").inner_text().split()[0].replace(",", ""))

    def accessible(self, axe):
        """Nothing is against the rules of axe-core."""
        self.page.evaluate(axe.read_text())
        found = self.page.evaluate("() => axe.run()")
        told = [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]]
        assert not told, told


def made(conformance, report, folder, name):
    """The page that the suite's program makes of a report."""
    page = folder / f"{name}.html"
    subprocess.run([conformance, "report", "html", report, "--out", page], check=True)
    assert page.stat().st_size <= MOST, page.stat().st_size
    return page


def hostile(report, folder):
    """The report with every free text replaced."""
    def replaced(value, name=None):
        if isinstance(value, dict):
            return {key: replaced(of, key) for key, of in value.items()}
        if isinstance(value, list):
            return [replaced(of, name) for of in value]
        fixed = not isinstance(value, str) or value.startswith("0x") or name in ("schema", "status", "judge", "tier")
        return value if fixed else HOSTILE + value
    copy = replaced({name: of for name, of in report.items() if name != "checksum"})
    path = folder / "hostile.json"
    path.write_text(json.dumps(copy))
    return path

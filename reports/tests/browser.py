"""Tries the pages of reports in Chromium.

    python3 reports/tests/browser.py CONFORMANCE REPORT AXE [SCREENSHOTS]

CONFORMANCE is the suite's program, REPORT the canary's report, AXE the script of axe-core, and SCREENSHOTS a folder
for pictures. Needs Debian's `chromium` and PyPI's `playwright`.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

CONFORMANCE, REPORT, AXE = (Path(argument).resolve() for argument in sys.argv[1:4])
SCREENSHOTS = Path(sys.argv[4]) if len(sys.argv) > 4 else None
# Bytes that a page has at most.
MOST = 2_000_000
OPTIONS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"]
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

    def accessible(self):
        """Nothing is against the rules of axe-core."""
        self.page.evaluate(AXE.read_text())
        found = self.page.evaluate("() => axe.run()")
        told = [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]]
        assert not told, told


def made(report, folder, name):
    page = folder / f"{name}.html"
    subprocess.run([CONFORMANCE, "report", "html", report, "--out", page], check=True)
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


def filters_and_sorts(opened, report):
    variants = report["variants"]
    names = [variant["variant"] for variant in variants]
    assert opened.count() == len(variants)
    opened.page.get_by_role("searchbox").fill("FMA ftz")
    assert opened.count() == sum("fma" in name and "ftz" in name for name in names)
    assert all("fma" in text and "ftz" in text for text in opened.rows().all_inner_texts())
    opened.page.get_by_role("searchbox").fill("no such variant")
    assert opened.count() == 0 and opened.rows().count() == 0
    opened.page.get_by_role("searchbox").fill("")
    opened.page.get_by_role("combobox").select_option("disagrees")
    assert opened.count() == report["totals"]["failed"]
    opened.page.get_by_role("combobox").select_option("")
    mismatches = opened.page.get_by_role("button", name="mismatches")
    for order, extreme in [("descending", max), ("ascending", min)]:
        mismatches.click()
        assert opened.page.locator(f"th[aria-sort={order}]").inner_text().startswith("mismatches")
        first = opened.rows().first.locator("td").nth(3).inner_text()
        assert int(first.replace(",", "")) == extreme(variant["mismatches"] for variant in variants)
    if len(variants) > 200:
        assert opened.rows().count() == 200
        opened.page.locator("#more").click()
        assert opened.rows().count() == len(variants)


def links(opened, report):
    failing = [variant for variant in report["variants"] if variant["status"] == "fail"]
    first = failing[0]["variant"]
    opened.page.get_by_role("link", name=first, exact=True).first.click()
    opened.page.wait_for_selector("#variant h2")
    assert opened.page.locator("#front").is_hidden() and first in opened.page.title()
    opened.page.go_back()
    opened.page.wait_for_selector("#front:not([hidden])")
    for variant in failing[::4]:
        opened.open(variant["variant"])
        assert opened.page.locator("#variant h3").count() >= len(variant["classes"])
        assert opened.page.locator("#variant .bits").count() >= min(1, len(variant["classes"]))
        for text in (found["diagnosis"] for found in variant["classes"]):
            assert " ".join(text.replace("`", "").split()) in " ".join(opened.page.locator("#variant").inner_text().split())
    opened.page.get_by_role("link", name="All variants").click()
    tile = opened.page.locator(".tiles a").first
    instruction = tile.locator("strong").inner_text()
    tile.click()
    opened.page.wait_for_function("() => document.querySelector('#filter').value")
    assert opened.count() == sum(f"{instruction}." in of["variant"] for of in report["variants"])


def by_keyboard(opened):
    """From the filter to a sorted table and into a variant's page, without a mouse."""
    press = opened.page.keyboard.press
    opened.page.get_by_role("searchbox").focus()
    opened.page.keyboard.type("fma.rn.f16")
    opened.page.get_by_role("button", name="variant", exact=True).focus()
    press("Enter")
    assert opened.page.locator("th[aria-sort=ascending]").count() == 1
    opened.rows().first.get_by_role("link").focus()
    press("Enter")
    opened.page.wait_for_selector("#variant h2")
    assert opened.page.evaluate("() => document.activeElement.id") == "variant"


def drawn(opened, report):
    """An approximation has its errors drawn."""
    curves = [of["variant"] for of in report["variants"] if any("profile" in one for one in of.get("accuracy", []))]
    assert curves, "no approximation in the report"
    opened.open(curves[0])
    assert opened.page.locator("#variant svg rect").count() > 10
    assert opened.page.locator("#variant svg [stroke='#FF0000']").count() == 1


def taken(opened, name):
    if SCREENSHOTS:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        opened.page.screenshot(path=SCREENSHOTS / f"{name}.png")


def main():
    report = json.loads(REPORT.read_text())
    failing = next(of["variant"] for of in report["variants"] if of["classes"] and of["variant"] == "fma.rn.f16")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        page = made(REPORT, folder, "page")
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=OPTIONS)

        with Opened(browser, page) as opened:
            verdict = opened.page.locator(".verdict")
            assert verdict.bounding_box()["y"] < 200 and str(report["totals"]["failed"]) in verdict.inner_text()
            instructions = {of["variant"].split(".")[0] for of in report["variants"]}
            assert opened.page.locator(".tiles li").count() == len(instructions)
            taken(opened, "front")
            filters_and_sorts(opened, report)
            print("filters and sorts")
        with Opened(browser, page) as opened:
            links(opened, report)
            drawn(opened, report)
            print("links and draws")
        with Opened(browser, page) as opened:
            by_keyboard(opened)
            print("works without a mouse")
        for scheme in ["light", "dark"]:
            with Opened(browser, page, color_scheme=scheme) as opened:
                opened.accessible()
                opened.open(failing)
                opened.accessible()
                taken(opened, f"variant-{scheme}")
                print(f"is accessible, {scheme}")
        with Opened(browser, page) as opened:
            for place in [None, failing]:
                if place:
                    opened.open(place)
                opened.page.set_viewport_size({"width": 360, "height": 800})
                width = opened.page.evaluate("() => document.documentElement.scrollWidth")
                assert width <= 360, f"{width} columns of 360 at {place}"
            opened.page.emulate_media(media="print")
            assert len(opened.page.pdf()) > 10_000
            print("fits a telephone, and paper")
        with Opened(browser, page, java_script_enabled=False) as opened:
            assert opened.page.locator(".verdict").is_visible() and "script" in opened.page.locator("main").inner_text()
            print("says what it can without a script")
        with Opened(browser, made(hostile(report, folder), folder, "hostile")) as opened:
            rows = opened.page.locator("#variants tbody a")
            for number in range(5):
                opened.page.evaluate("href => location.hash = href", rows.nth(number).get_attribute("href"))
                opened.page.wait_for_selector("#variant:not([hidden]) h2")
            assert HOSTILE in opened.page.locator("#variant h2").inner_text()
            assert opened.page.evaluate("() => typeof hit") == "undefined"
            print("runs no script of a report's")
        browser.close()


main()

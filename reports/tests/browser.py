"""Tries the pages of reports in Chromium.

    python3 reports/tests/browser.py CONFORMANCE REPORT AXE [SCREENSHOTS]

CONFORMANCE is the suite's program, REPORT the canary's report, AXE the script of axe-core, and SCREENSHOTS a folder
for pictures. Needs Debian's `chromium` and PyPI's `playwright`.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path

from opened import HOSTILE, Opened, hostile, made
from playwright.sync_api import sync_playwright

CONFORMANCE, REPORT, AXE = (Path(argument).resolve() for argument in sys.argv[1:4])
SCREENSHOTS = Path(sys.argv[4]) if len(sys.argv) > 4 else None
OPTIONS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"]


def parts(name):
    return re.split(r"[^a-z0-9_]+", name.lower())


def filters_and_sorts(opened, report):
    variants = report["variants"]
    names = [variant["variant"] for variant in variants]
    assert opened.count() == len(variants)
    for words in ["FMA ftz", "f16 fma"]:
        opened.page.locator("#filter").fill(words)
        assert opened.count() == sum(set(words.lower().split()) <= set(parts(name)) for name in names), words
    assert not any("bf16" in text for text in opened.rows().all_inner_texts())
    # No part of a name, but of a part.
    opened.page.locator("#filter").fill("bf1")
    assert opened.count() == sum("bf1" in name for name in names)
    opened.page.locator("#filter").fill("no such variant")
    assert opened.count() == 0 and opened.rows().count() == 0
    opened.page.locator("#filter").fill("")
    opened.page.locator("#status").select_option("disagrees")
    assert opened.count() == report["totals"]["failed"]
    opened.page.locator("#status").select_option("")
    opened.page.locator("#cause").select_option("0")
    assert 0 < opened.count() <= report["totals"]["failed"]
    opened.page.locator("#cause").select_option("")
    for order in ["descending", "ascending"]:
        opened.page.locator("#variants").get_by_role("button", name="max ulp").click()
        assert opened.page.locator(f"#variants th[aria-sort={order}]").inner_text().startswith("max ulp")
        assert opened.rows().first.locator("td").nth(4).inner_text(), "what has no number is first"
    mismatches = opened.page.locator("#variants").get_by_role("button", name="mismatches")
    for order, extreme in [("descending", max), ("ascending", min)]:
        mismatches.click()
        assert opened.page.locator(f"#variants th[aria-sort={order}]").inner_text().startswith("mismatches")
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
    for tile in opened.page.locator(".tiles a").all():
        instruction = tile.locator("strong").inner_text()
        tile.click()
        opened.page.wait_for_function("name => document.querySelector('#instruction').value === name", arg=instruction)
        assert opened.count() == sum(of["variant"].split(".")[0] == instruction for of in report["variants"])
    # A second time, after something else was looked at.
    for _ in range(2):
        opened.page.evaluate("() => scrollTo(0, 0)")
        tile.click()
        opened.page.wait_for_function("() => scrollY > 0")
    opened.page.locator("#instruction").select_option("")
    tile.click()
    opened.page.wait_for_function("name => document.querySelector('#instruction').value === name", arg=instruction)


def comes_back(opened):
    """Filter, order and place are there when a variant's page is left."""
    opened.page.locator("#instruction").select_option("fma")
    opened.page.locator("#filter").fill("f16")
    opened.page.locator("#variants").get_by_role("button", name="mismatches").click()
    found, place = opened.count(), "is=fma&q=f16&sort=-3"
    link = opened.rows().nth(5).get_by_role("link")
    link.scroll_into_view_if_needed()
    assert opened.page.evaluate("() => location.hash") == f"#{place}"
    before = opened.page.evaluate("() => scrollY")
    assert before > 0
    link.click()
    opened.page.wait_for_selector("#variant:not([hidden]) h2")
    assert opened.page.evaluate("() => scrollY") == 0
    for back in [opened.page.go_back, opened.page.reload]:
        back()
        opened.page.wait_for_selector("#front:not([hidden])")
        opened.page.wait_for_selector("body[data-ready]")
        opened.page.wait_for_function("before => scrollY === before", arg=before)
        assert opened.count() == found and opened.page.evaluate("() => location.hash") == f"#{place}"
        assert opened.page.locator("#variants th[aria-sort=descending]").inner_text().startswith("mismatches")
    opened.rows().first.get_by_role("link").click()
    opened.page.wait_for_selector("#variant:not([hidden]) h2")
    opened.page.get_by_role("link", name="All variants").click()
    opened.page.wait_for_selector("#front:not([hidden])")
    assert opened.count() == found and opened.page.evaluate("() => scrollY") > 0
    # What is no address of anything is looked for.
    opened.page.evaluate("() => location.hash = '#/%E0%A4%A'")
    opened.page.wait_for_function("() => document.querySelector('#filter').value === '%E0%A4%A'")
    assert opened.count() == 0


def causes(opened, report):
    """All causes are found, filtered and sorted; words lead to what they mean."""
    lines = opened.page.locator("#causes > tbody > tr")
    first, many = lines.first.inner_text(), lines.count()
    opened.page.locator("#causes").get_by_role("button", name="worst variant").click()
    shares = [float(text.strip("< %")) for text in opened.page.locator("#causes > tbody > tr > td:nth-child(4)").all_inner_texts()]
    assert shares == sorted(shares, reverse=True) and len(shares) == many
    opened.page.locator("#causes").get_by_role("button", name="mismatches").click()
    assert lines.first.inner_text() == first
    opened.page.locator("#find").fill("no such cause")
    assert opened.page.locator("#causes > tbody > tr:visible").count() == 0
    opened.page.locator("#find").fill("")
    named = {name for name in opened.page.locator("#causes > tbody > tr > td:last-child code").all_text_contents()}
    failing = {of["variant"] for of in report["variants"] if of["status"] == "fail" and of["classes"]}
    assert named == failing, named ^ failing
    opened.page.locator("#front a.word").first.click()
    opened.page.wait_for_function("() => document.activeElement.id.startsWith('word-')")
    for link in opened.page.locator("a.word").all():
        assert opened.page.locator(link.get_attribute("href")).count() == 1


def on_paper(opened):
    """What is printed says how much of the table it is."""
    opened.page.emulate_media(media="print")
    assert opened.page.locator("#shown").is_visible() and "first 200 shown" in opened.page.locator("#shown").inner_text()
    assert opened.page.locator("#filter").is_hidden()
    bar = opened.page.locator(".bar i").first
    assert bar.evaluate("bar => getComputedStyle(bar).printColorAdjust") == "exact"
    assert opened.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert len(opened.page.pdf()) > 10_000


def by_keyboard(opened):
    """From the first key to the filter, a sorted table and a variant's page, without a mouse."""
    press = opened.page.keyboard.press
    press("Tab")
    press("Enter")
    opened.page.wait_for_function("() => document.activeElement.id === 'filter'")
    opened.page.keyboard.type("fma.rn.f16")
    opened.page.get_by_role("button", name="variant", exact=True).focus()
    press("Enter")
    assert opened.page.locator("#variants th[aria-sort=ascending]").count() == 1
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
    profile = opened.page.locator("#variant figure").first
    assert profile.locator("svg [stroke='#FF0000']").count() == 1
    # The letters are large enough, and a bar that is cut says so.
    assert min(float(size) for size in profile.locator("text").evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")) >= 11
    beyond = [of["variant"] for of in report["variants"]
              if any(binade["share"] > 4 for one in of.get("accuracy", []) for binade in one.get("profile", []))]
    opened.open(beyond[0])
    assert opened.page.locator("#variant svg polygon[fill='#FF0000']").count() > 0
    assert "beyond the drawing" in opened.page.locator("#variant").inner_text()


def taken(opened, name):
    if SCREENSHOTS:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        opened.page.screenshot(path=SCREENSHOTS / f"{name}.png")


def main():
    report = json.loads(REPORT.read_text())
    failing = next(of["variant"] for of in report["variants"] if of["classes"] and of["variant"] == "fma.rn.f16")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        page = made(CONFORMANCE, REPORT, folder, "page")
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
            causes(opened, report)
            comes_back(opened)
            print("tells causes, and comes back")
        with Opened(browser, page) as opened:
            by_keyboard(opened)
            print("works without a mouse")
        for scheme in ["light", "dark"]:
            with Opened(browser, page, color_scheme=scheme) as opened:
                opened.accessible(AXE)
                opened.open(failing)
                opened.accessible(AXE)
                taken(opened, f"variant-{scheme}")
                print(f"is accessible, {scheme}")
        with Opened(browser, page) as opened:
            for place in [None, failing]:
                if place:
                    opened.open(place)
                opened.page.set_viewport_size({"width": 360, "height": 800})
                width = opened.page.evaluate("() => document.documentElement.scrollWidth")
                assert width <= 360, f"{width} columns of 360 at {place}"
            # The bits of the results are in sight without scrolling.
            opened.page.set_viewport_size({"width": 390, "height": 800})
            significands = opened.page.locator("#variant .bits .m")
            assert significands.count() > 2
            for place in significands.all():
                box = place.bounding_box()
                assert box["x"] >= 0 and box["x"] + box["width"] <= 390, box
            print("fits a telephone")
        with Opened(browser, page, color_scheme="dark") as opened:
            on_paper(opened)
            print("fits paper")
        with Opened(browser, page, java_script_enabled=False) as opened:
            assert opened.page.locator(".verdict").is_visible() and "script" in opened.page.locator("main").inner_text()
            print("says what it can without a script")
        with Opened(browser, made(CONFORMANCE, hostile(report, folder), folder, "hostile")) as opened:
            rows = opened.page.locator("#variants tbody a")
            for number in range(5):
                opened.page.evaluate("href => location.hash = href", rows.nth(number).get_attribute("href"))
                opened.page.wait_for_selector("#variant:not([hidden]) h2")
            assert HOSTILE in opened.page.locator("#variant h2").inner_text()
            assert opened.page.evaluate("() => typeof hit") == "undefined"
            print("runs no script of a report's")
        browser.close()


main()

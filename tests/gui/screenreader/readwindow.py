# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""readwindow.py PROGRAM: starts the window, turns to each page through AT-SPI, reads what is shown
there, and names the controls that a screen reader cannot tell or use. Then it starts the window with
some runs, and looks for what a chart, a table of numbers and a dialog have to tell."""

import collections
import contextlib
import os
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

import sampleruns  # noqa: E402

# Building a page with sanitizers, beside other tests, takes longer than the library's 0.8 s.
Atspi.set_timeout(20000, 60000)

PAGES = {
    "Sites": "Where do you want to run?",
    "Launch": "This is what will be submitted",
    "Runs": "No runs yet. Launch one, or start the demo cluster.",
    "Compare": "Nothing to compare yet. Launch the race, or pick two runs.",
    "Images": "Look at an image before you pull it",
}
PRESSED = {"push button", "check box", "radio button", "toggle button", "menu item", "link"}
UNTOLD = {"filler", "panel", "unknown", "invalid", "layered pane"}
LONGEST = 120  # seconds until something is shown, on a loaded machine


class Missing(Exception):
    """What was waited for and did not come, and what was there instead."""


def children(node):
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield child


def has(node, state):
    return node.get_state_set().contains(state)


def shown(node):
    """The node and all below it that is on the screen, each with its parent."""
    open_nodes = [(None, node)]
    while open_nodes:
        parent, one = open_nodes.pop()
        yield parent, one
        visible = [child for child in children(one) if has(child, Atspi.StateType.SHOWING)]
        open_nodes += [(one, child) for child in visible]


def called(node):
    return f"{node.get_role_name()} “{node.get_name()}”"


def find(node, role, name):
    """The first one of that role whose name begins so."""
    for _, one in shown(node):
        if one.get_role_name() == role and (one.get_name() or "").startswith(name):
            return one
    return None


def labelled(node):
    relations = (relation.get_relation_type() for relation in node.get_relation_set())
    return Atspi.RelationType.LABELLED_BY in relations


def faults(app):
    wrong, heard, names = [], 0, collections.Counter()
    for parent, node in shown(app):
        role, name = node.get_role_name(), node.get_name()
        if role in PRESSED:
            names[(parent, role, name)] += 1
            if has(node, Atspi.StateType.ENABLED) and node.get_n_actions() == 0:
                wrong.append(f"{role} “{name}” cannot be pressed")
        if not has(node, Atspi.StateType.FOCUSABLE) or (role == "label" and not name):
            continue
        heard += 1
        if not name and not labelled(node):
            wrong.append(f"{role} below “{parent and parent.get_name()}” has no name")
        if role in UNTOLD:
            wrong.append(f"“{name}” takes the focus but does not tell what it is ({role})")
    wrong += [
        f"{role} “{name}” is there {count} times"
        for (_, role, name), count in names.items()
        if count > 1
    ]
    if heard < 8:
        wrong.append(f"only {heard} controls and texts")
    return wrong, heard


class Window:
    """The program with its window, as another process finds it."""

    def __init__(self, *words):
        self.program = subprocess.Popen([sys.argv[1], *words])
        self.app = None
        self.app = self.wait_for("The window", self.application)

    def application(self):
        pid = self.program.pid
        found = [one for one in children(Atspi.get_desktop(0)) if one.get_process_id() == pid]
        return found[0] if found else None

    def wait_for(self, what, seek, seconds=LONGEST):
        end, trouble = time.monotonic() + seconds, ""
        while time.monotonic() < end:
            if self.program.poll() is not None:
                raise Missing(f"{what}: the program has ended, code {self.program.returncode}")
            try:
                found = seek()
            except GLib.Error as error:  # it changed while it was read
                found, trouble = None, f"; AT-SPI says: {error.message}"
            if found:
                return found
            time.sleep(0.1)
        raise Missing(f"{what} did not appear within {seconds} s{trouble}{self.there()}")

    def there(self):
        """What is there instead, for the message."""
        try:
            if self.app is None:
                names = [called(one) for one in children(Atspi.get_desktop(0))]
                return f"; AT-SPI knows these programs: {', '.join(names) or 'none'}"
            names = [called(one) for _, one in shown(self.app) if one.get_name()]
            return f"; shown are: {', '.join(names[:80])}"
        except GLib.Error as error:
            return f"; what is shown could not be read: {error.message}"

    def find(self, role, name):
        return self.wait_for(f"The {role} “{name}”", lambda: find(self.app, role, name))

    def press(self, role, name):
        # A button may be disabled until its page is complete.
        def ready():
            node = find(self.app, role, name)
            return node if node and has(node, Atspi.StateType.ENABLED) else None

        self.wait_for(f"The {role} “{name}”, enabled", ready).do_action(0)

    def faults(self, page):
        """What is wrong on a page that has settled: it may be filled in several turns."""
        end = time.monotonic() + 20
        while True:
            wrong, heard = self.wait_for(f"What {page} holds", lambda: faults(self.app))
            if not wrong or time.monotonic() > end:
                break
            time.sleep(0.5)
        print(f"{page}: {heard} controls and texts", flush=True)
        return [f"{page}: {fault}" for fault in wrong]

    def focused(self, node):
        """The control below the node that has the focus."""

        def seek():
            for _, one in shown(node):
                told = one.get_role_name() not in UNTOLD  # else one that passes the focus on
                if told and one != node and has(one, Atspi.StateType.FOCUSED):
                    return one
            return None

        return self.wait_for(f"The focus in {called(node)}", seek)


@contextlib.contextmanager
def window(*words):
    one = None
    try:
        one = Window.__new__(Window)
        one.__init__(*words)
        yield one
    finally:
        program = getattr(one, "program", None)
        if program:
            program.terminate()
            try:
                program.wait(30)
            except subprocess.TimeoutExpired:
                program.kill()


def read_pages():
    wrong = []
    with window() as one:
        for page, words in PAGES.items():
            one.press("radio button", page)
            one.find("label", words)
            wrong += one.faults(page)
        one.press("radio button", "Sites")
        one.press("push button", "Add your own cluster")
        dialog = one.find("dialog", "Add your own cluster")
        focus = one.focused(dialog)
        if not focus.get_name() and not labelled(focus):
            wrong.append(f"Add your own cluster: the focus is on a {called(focus)} without a name")
    return wrong


def described(one, chart, *words):
    """The description of the chart once it has numbers and these words: runs are read one by one."""

    def seek():
        node = find(one.app, "chart", chart)
        said = node.get_description() if node else ""
        full = any(sign.isdigit() for sign in said) and all(word in said for word in words)
        return node if full else None

    return one.wait_for(f"A description with numbers of {chart}", seek).get_description()


def read_chart():
    wrong = []
    with window("--page", "done") as one:
        said = described(one, "Chart: Performance")
        print(f"Chart: {said}", flush=True)
        if "FLOP/s" not in said:
            wrong.append(f"Chart: the description does not tell the unit: {said}")
        wrong += one.faults("A run")
        one.press("push button", "Show the numbers as a table")
        dialog = one.find("dialog", "Numbers of ")
        table = one.wait_for("The table of numbers", lambda: find(dialog, "table", "Numbers of "))
        rows, columns = Atspi.Table.get_n_rows(table), Atspi.Table.get_n_columns(table)
        cells = [Atspi.Table.get_accessible_at(table, 0, at).get_name() for at in range(columns)]
        print(f"Table of numbers: {rows} rows, the first: {cells}", flush=True)
        if rows != 5 or not all(cells[:2]):
            wrong.append(f"Table of numbers: 5 rows are expected: {rows}, the first: {cells}")
        one.focused(dialog)
    return wrong


def read_curves():
    with window("--page", "compare:batch32,batch64") as one:
        said = described(one, "Chart: ", "Batch 32", "Batch 64")
        print(f"Curves: {said}", flush=True)
        box = one.find("check box", "Show train loss")
        table = one.find("table", "The runs: ")
        wrong = one.faults("Curves")
        if not has(box, Atspi.StateType.CHECKED):
            wrong.append("Curves: the series that is drawn is not checked")
        if Atspi.Table.get_n_rows(table) != 2:
            wrong.append("Curves: the table does not have the two runs")
        if "Batch 32" not in said or "Batch 64" not in said:
            wrong.append(f"Curves: the description does not name the runs: {said}")
    return wrong


complaints = []
for part in (read_pages, read_chart, read_curves):
    if part is read_chart:
        sampleruns.write(os.path.expanduser("~/.local/share/slipway"))
    begin = time.monotonic()
    try:
        complaints += part()
    except Missing as missing:
        complaints.append(str(missing))
    print(f"{part.__name__}: {time.monotonic() - begin:.0f} s", flush=True)
print("\n".join(complaints))
sys.exit(1 if complaints else 0)

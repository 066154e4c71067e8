"""old_browser.py ENGINE: a window of Qt with an old browser, webkit or webengine, that a test leads.

Each line of standard input is JSON: ["open", URL], ["run", EXPRESSION] or ["picture", FILE]. Each is answered with a
line of JSON: the version of the browser, the value of the expression, or null. It runs under the Python whose PyQt5 has
that engine, so it cannot import anything of the tests.
"""
import ctypes
import json
import sys
import types


def provide_sip():
    """Lets PyQt5 before 5.11 import the module sip, which is a part of PyQt5 today, under its old name."""
    import PyQt5.sip

    api = ctypes.pythonapi
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    api.PyCapsule_New.restype = ctypes.py_object
    api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    module = types.ModuleType("sip")
    module.__dict__.update({name: value for name, value in vars(PyQt5.sip).items() if not name.startswith("__")})
    pointer = api.PyCapsule_GetPointer(PyQt5.sip._C_API, b"PyQt5.sip._C_API")
    module._C_API = api.PyCapsule_New(pointer, provide_sip.name, None)
    sys.modules["sip"] = module


provide_sip.name = b"sip._C_API"  # The capsule does not copy it.

try:
    from PyQt5 import QtCore
except ModuleNotFoundError:
    provide_sip()
    from PyQt5 import QtCore

engine = sys.argv[1]
if engine == "webkit":
    from PyQt5.QtWebKit import qWebKitVersion
    from PyQt5.QtWebKitWidgets import QWebView as View
else:
    from PyQt5.QtWebEngineWidgets import QWebEngineView as View
from PyQt5.QtWidgets import QApplication


def answer(value):
    print(json.dumps(value), flush=True)


def agent():
    if engine == "webkit":
        return f"AppleWebKit/{qWebKitVersion()}"
    return view.page().profile().httpUserAgent()


def handle():
    line = sys.stdin.readline()
    if not line:
        app.quit()
        return
    verb, value = json.loads(line)
    if verb == "open":
        view.setUrl(QtCore.QUrl(value))
        answer(agent())
    elif verb == "picture":
        view.grab().save(value)
        answer(None)
    elif engine == "webkit":
        answer(view.page().mainFrame().evaluateJavaScript(value))
    else:
        view.page().runJavaScript(value, answer)


app = QApplication(["old-browser", "--no-sandbox"])
view = View()
view.resize(1280, 720)
view.show()
notifier = QtCore.QSocketNotifier(sys.stdin.fileno(), QtCore.QSocketNotifier.Read)
notifier.activated.connect(handle)
app.exec_()

// Opens the plain display in a browser in which the display does not start: one without modules, or with an older
// language or fewer functions than the modules need. It is ES5, and runs before them.
(function () {
  'use strict';

  function leave() { location.replace(location.pathname + '/plain' + location.search); }

  /** Whether an error shows that the browser is too old, and not that a file could not be loaded. */
  function isTooOld(error) {
    var text = String(error);
    if (document.documentElement.getAttribute('data-started') !== null) return false;
    return /SyntaxError|ReferenceError/.test(text) || (/TypeError/.test(text) && !/fetch|import|load/i.test(text));
  }

  // The styles need container units, which are newer than all that the modules need.
  if (!('noModule' in document.createElement('script')) || !window.CSS || !window.CSS.supports('width', '1cqw')) {
    leave();
    return;
  }
  window.addEventListener('error', function (event) { if (isTooOld(event.message)) leave(); });
  window.addEventListener('unhandledrejection', function (event) { if (isTooOld(event.reason)) leave(); });
}());

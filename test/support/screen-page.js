// Runs inside the page of the served VS Code: tells, as plain data, what a person sees. JavaScript, because the project's
// TypeScript knows no DOM; test/support/screen-look.ts checks what comes out.
(() => {
  if (window !== window.top || window.brevScreen) return;

  // A workbench that runs tests shows neither dialogs nor toasts. It looks up once that it does, and keeps the answers: here
  // they are kept so that they can be changed.
  const testing = new Map([
    ['$memoize$enableSmokeTestDriver', false],
    ['$memoize$extensionTestsLocationURI', undefined],
  ]);
  const kept = [];
  const define = Object.defineProperty;
  Object.defineProperty = (target, key, descriptor) => {
    if (!testing.has(key)) return define(target, key, descriptor);
    kept.push({ target, key, value: descriptor.value });
    return define(target, key, { ...descriptor, writable: true });
  };

  // A person takes a moment for each thing they do. VS Code counts on it: of more than three toasts within 0.8 s it drops
  // the rest, also the one that says what went wrong.
  const now = Date.now;
  let moments = 0;
  Date.now = () => now() + moments;

  let version = 0;
  const MOMENT_MS = 50;
  let lookIsDue = false;
  let wakes = [];
  let toasts = [];
  let known = new WeakSet();

  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const one = (selector, inside = document) => inside.querySelector(selector);
  const visible = (element) => element !== null && element.getClientRects().length > 0;
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen has its line breaks
  const words = (element) => (element?.innerText ?? '').replaceAll(/[ \u00a0]+/g, ' ').trim();
  const labelOf = (element) => element.getAttribute('aria-label') || words(element);
  const inOrder = (rows) => rows.sort((a, b) => a.dataset.index - b.dataset.index);
  const icons = (element) =>
    [...(element?.classList ?? [])]
      .filter((name) => name.startsWith('codicon-') && name !== 'codicon-modifier-spin')
      .map((name) => name.slice('codicon-'.length));
  const iconOf = (element) => icons(element)[0] ?? '';

  function notification(toast) {
    const icon = iconOf(one('.notification-list-item-icon', toast));
    return {
      severity: icon === 'warning' || icon === 'error' ? icon : 'info',
      text: words(one('.notification-list-item-message', toast)),
      buttons: all('.notification-list-item-buttons-container .monaco-button', toast).map(words),
    };
  }

  // A toast can come and go between two looks: each is noted once, when it has its text.
  function noteToasts() {
    for (const toast of all('.notification-toast')) {
      if (known.has(toast)) continue;
      const { text } = notification(toast);
      if (text === '') continue;
      known.add(toast);
      toasts.push(text);
    }
  }

  function dialog() {
    const box = one('.monaco-dialog-box');
    return visible(box)
      ? {
          message: words(one('.dialog-message-text', box)),
          detail: words(one('.dialog-message-detail', box)),
          buttons: all('.dialog-buttons .monaco-button', box).map(words),
        }
      : null;
  }

  function quickInput() {
    const widget = all('.quick-input-widget').find(visible);
    if (widget === undefined) return null;
    const input = one('.quick-input-box input', widget);
    const message = one('.quick-input-message', widget);
    const list = one('.quick-input-list', widget);
    const rows = inOrder(all('.monaco-list-row', list ?? widget).filter(visible)).map(labelOf);
    return {
      title: words(one('.quick-input-title', widget)),
      placeholder: input?.placeholder ?? '',
      value: input?.value ?? '',
      password: input?.type === 'password',
      message: visible(message) ? words(message) : '',
      invalid: one('.quick-input-box .monaco-inputbox.error', widget) !== null,
      busy: one('.quick-input-progress:not(.done)', widget) !== null || (rows.length === 0 && visible(list)),
      buttons: all('.quick-input-titlebar .action-label', widget).map(labelOf),
      rows,
    };
  }

  function treeRow(row) {
    return {
      label: words(one('.label-name', row)),
      description: words(one('.label-description', row)),
      icon: iconOf(one('.custom-view-tree-node-item-icon', row)),
      spoken: row.getAttribute('aria-label') ?? '',
      level: Number(row.getAttribute('aria-level')),
      selected: row.getAttribute('aria-selected') === 'true',
    };
  }

  function view(pane) {
    const icon = [...(one('.pane-header .icon', pane)?.classList ?? [])].find((name) =>
      name.startsWith('view-'),
    );
    const welcome = one('.welcome-view-content', pane);
    return {
      id: (icon ?? 'view-').slice('view-'.length),
      title: words(one('.pane-header .title', pane)),
      description: words(one('.pane-header .description', pane)),
      expanded: pane.classList.contains('expanded'),
      message: words(one('.tree-explorer-viewlet-tree-view > .message:not(.hide)', pane)),
      rows: inOrder(all('.pane-body .monaco-list-row', pane).filter(visible)).map(treeRow),
      welcome: visible(welcome)
        ? { text: words(welcome), buttons: all('.monaco-button, a', welcome).filter(visible).map(words) }
        : null,
    };
  }

  function statusItem(item) {
    const label = one('.statusbar-item-label', item);
    return {
      id: item.id,
      text: words(label),
      spoken: item.getAttribute('aria-label') ?? '',
      icon: iconOf(one('.codicon', item)),
    };
  }

  function snapshot() {
    return {
      version,
      notifications: all('.notifications-toasts .notification-toast').filter(visible).map(notification),
      toasts,
      dialog: dialog(),
      quickInput: quickInput(),
      statusBar: all('.statusbar-item').filter(visible).map(statusItem),
      views: all('.part.sidebar .pane').filter(visible).map(view),
      menu: all('.monaco-menu .action-item:not(.disabled) .action-label').filter(visible).map(labelOf),
      hover: all('.monaco-hover').filter(visible).map(words).join('\n'),
      output: all('.part.panel .view-lines').filter(visible).map(words).join('\n'),
    };
  }

  window.brevScreen = {
    /** What is seen, once something changed after that version, or after a while. */
    look: (after, waitMs) =>
      new Promise((resolve) => {
        const give = () => {
          clearTimeout(timer);
          resolve(snapshot());
        };
        const timer = setTimeout(give, waitMs);
        if (version > after) give();
        else wakes.push(give);
      }),
    /** What is seen after everything that was under way has been drawn. */
    drawn: () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(snapshot()))));
      }),
    /** Lets the workbench show itself as to a person, or again as to tests only. */
    showAll: (wanted) => {
      if (new Set(kept.map(({ key }) => key)).size < testing.size)
        throw new Error('This VS Code hides its dialogs');
      for (const { target, key, value } of kept) target[key] = wanted ? testing.get(key) : value;
    },
    momentLater: () => {
      moments += 1_000;
    },
    forgetToasts: () => {
      toasts = [];
      known = new WeakSet(all('.notification-toast'));
    },
  };

  new MutationObserver(() => {
    version += 1;
    noteToasts();
    // a look costs a layout: one for all that changes in a moment
    if (lookIsDue) return;
    lookIsDue = true;
    setTimeout(() => {
      lookIsDue = false;
      const waiting = wakes;
      wakes = [];
      for (const wake of waiting) wake();
    }, MOMENT_MS);
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})();

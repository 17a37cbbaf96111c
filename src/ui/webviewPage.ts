import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The page of a webview: nothing but our own script and style from its folder of media is allowed in it. */
export function webviewPage(
  webview: vscode.Webview,
  media: vscode.Uri,
  {
    body,
    style,
    images = '',
  }: { readonly body: string; readonly style: string; readonly images?: 'data:' | '' },
): string {
  const nonce = randomBytes(16).toString('base64url');
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}${
    images === '' ? '' : `; img-src ${images}`
  }`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file(style)}">
</head>
<body>
<main>
${body}
</main>
<script nonce="${nonce}" src="${file('page.js')}"></script>
</body>
</html>`;
}

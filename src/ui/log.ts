import * as vscode from 'vscode';
import type { Redactor } from '../process/redact.ts';

/** The extension's log. Everything in it is redacted; what comes after the end of the window is dropped. */
export class Log implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Brev', { log: true });
  readonly #redactor: Redactor;
  #closed = false;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  debug(text: string): void {
    this.#write((line) => this.#channel.debug(line), text);
  }

  info(text: string): void {
    this.#write((line) => this.#channel.info(line), text);
  }

  warn(text: string): void {
    this.#write((line) => this.#channel.warn(line), text);
  }

  error(text: string): void {
    this.#write((line) => this.#channel.error(line), text);
  }

  /** Shows it without taking the focus. */
  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#closed = true;
    this.#channel.dispose();
  }

  /** A call that was running when the window went away may still have something to say: VS Code would throw. */
  #write(write: (line: string) => void, text: string): void {
    if (!this.#closed) {
      write(this.#redactor.redact(text));
    }
  }
}

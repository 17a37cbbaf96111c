// Remote scripts are real files, linted as such, and import as text: esbuild's loader in the bundle,
// test/support/sh-loader.ts in plain Node.
declare module '*.sh' {
  const text: string;
  export { text as default };
}

// Remote scripts are real files, linted as such, and import as text: esbuild's loader in the bundle,
// test/support/sh-loader.ts in plain Node.
declare module '*.sh' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: what both loaders make of a text file.
  export default text;
}

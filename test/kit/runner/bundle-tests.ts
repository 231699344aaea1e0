// Bundles each test file on its own, so that it has its own copy of the project's modules and of the packages in the browser bundle, with
// the same aliases as the build. Node resolves all other packages (uvu, ws, happy-dom, ...).
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Loader, type Plugin } from 'esbuild'

const BUNDLED = /^(preact|wouter|nanostores|regexparam|use-sync-external-store)(\/|$)/

/** Replaces `import.meta.url` and similar with the location of the source: code that starts a process or reads a file needs it. */
function withSourceLocation(source: string, path: string): string {
  const own: Record<string, string> = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  return source.replaceAll(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, name: string) => JSON.stringify(own[name]))
}

function createResolvePlugin(root: string, alias: Readonly<Record<string, string>>): Plugin {
  const suiteFile = join(root, 'test/kit/runner/suite.ts')
  return {
    name: 'resolve',
    setup(setup) {
      setup.onResolve({ filter: /^[^./]/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (kind === 'entry-point' || pluginData === 'mapped') return undefined
        if (path === 'uvu' && importer !== suiteFile) return { path: suiteFile }
        const mapped = alias[path]
        if (mapped) return setup.resolve(mapped, { resolveDir: root, kind, pluginData: 'mapped' })
        return BUNDLED.test(path) ? setup.resolve(path, { resolveDir, kind, pluginData: 'mapped' }) : { external: true }
      })
      // wouter keeps its location in the path of the URL. As in the build, the console's hash location replaces it.
      setup.onResolve({ filter: /^\.\/use-browser-location\.js$/ }, () => ({
        path: join(root, 'src/state/wouter-shim.ts')
      }))
      setup.onLoad({ filter: /\.(m?[tj]s|[tj]sx)$/ }, async ({ path }) => {
        if (path.includes('/node_modules/')) return undefined
        const loader = (path.endsWith('x') ? path.slice(-3) : path.slice(-2)) as Loader
        return { contents: withSourceLocation(await readFile(path, 'utf8'), path), loader, resolveDir: dirname(path) }
      })
    }
  }
}

export interface BundleResult {
  /** Path of the bundle by test file. */
  bundles: Map<string, string>
  /** Error message by test file that could not be bundled. */
  failures: Map<string, string>
}

/**
 * Bundles test files.
 * @param files absolute paths of the test files
 * @param folder output folder; inside the project, so that Node finds the packages from there
 */
export async function bundleTests(
  root: string,
  files: readonly string[],
  folder: string,
  alias: Readonly<Record<string, string>>
): Promise<BundleResult> {
  const bundles = new Map(files.map((file) => [file, join(folder, `${relative(root, file)}.mjs`)]))
  const failures = new Map<string, string>()
  const run = (entries: readonly string[]) =>
    build({
      entryPoints: entries.map((file) => ({ in: file, out: relative(root, file) })),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      absWorkingDir: root,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      jsx: 'automatic',
      sourcemap: 'linked',
      sourcesContent: false,
      loader: { '.css': 'empty', '.scss': 'empty', '.svg': 'text' },
      logLevel: 'silent',
      plugins: [createResolvePlugin(root, alias)]
    })
  const text = (error: unknown) => (error instanceof Error ? error.message : String(error))
  // A file that cannot be bundled must not keep the others from running.
  await run(files).catch(() =>
    Promise.all(files.map((file) => run([file]).catch((error) => failures.set(file, text(error)))))
  )
  return { bundles, failures }
}

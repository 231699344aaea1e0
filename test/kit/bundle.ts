// Bundles each test file on its own, so that it has its own copy of our modules and of what the browser bundle contains, with the
// names mapped as the build maps them. Everything else (uvu, ws, happy-dom, ...) stays what Node finds.
import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Loader, type Plugin } from 'esbuild'

const BUNDLED = /^(preact|wouter|nanostores|regexparam|use-sync-external-store)(\/|$)/

/** A source keeps knowing where it lies: code that starts a process or reads a file beside it needs that. */
function withOwnPlace(source: string, path: string): string {
  const own: Record<string, string> = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  return source.replaceAll(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, name: string) => JSON.stringify(own[name]))
}

function places(root: string, alias: Readonly<Record<string, string>>): Plugin {
  const stand = join(root, 'test/kit/suite.ts')
  return {
    name: 'places',
    setup(setup) {
      setup.onResolve({ filter: /^[^./]/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (kind === 'entry-point' || pluginData === 'mapped') return undefined
        if (path === 'uvu' && importer !== stand) return { path: stand }
        const mapped = alias[path]
        if (mapped) return setup.resolve(mapped, { resolveDir: root, kind, pluginData: 'mapped' })
        return BUNDLED.test(path) ? setup.resolve(path, { resolveDir, kind, pluginData: 'mapped' }) : { external: true }
      })
      // wouter's own location is in the path of the address: as in the build, the console's takes its place.
      setup.onResolve({ filter: /^\.\/use-browser-location\.js$/ }, () => ({
        path: join(root, 'src/state/wouter-shim.ts')
      }))
      setup.onLoad({ filter: /\.(m?[tj]s|[tj]sx)$/ }, async ({ path }) => {
        if (path.includes('/node_modules/')) return undefined
        const loader = (path.endsWith('x') ? path.slice(-3) : path.slice(-2)) as Loader
        return { contents: withOwnPlace(await readFile(path, 'utf8'), path), loader, resolveDir: dirname(path) }
      })
    }
  }
}

export interface Bundled {
  /** Bundle by test file. */
  bundles: Map<string, string>
  /** What the bundler said of a file it could not bundle. */
  refused: Map<string, string>
}

/**
 * @param files test files, absolute
 * @param folder where the bundles go; inside the project, so that packages are found from there
 */
export async function bundleTests(
  root: string,
  files: readonly string[],
  folder: string,
  alias: Readonly<Record<string, string>>
): Promise<Bundled> {
  const bundles = new Map(files.map((file) => [file, join(folder, `${relative(root, file)}.mjs`)]))
  const refused = new Map<string, string>()
  const run = (some: readonly string[]) =>
    build({
      entryPoints: some.map((file) => ({ in: file, out: relative(root, file) })),
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
      plugins: [places(root, alias)]
    })
  const text = (error: unknown) => (error instanceof Error ? error.message : String(error))
  // One file that cannot be bundled must not keep the others from running.
  await run(files).catch(() =>
    Promise.all(files.map((file) => run([file]).catch((error) => refused.set(file, text(error)))))
  )
  return { bundles, refused }
}

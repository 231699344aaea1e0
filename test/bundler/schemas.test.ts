import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Plugin, rollup } from 'rollup'
import { suite } from 'uvu'
import { root } from '../../bundler/project.ts'
import { withoutSchemas } from '../../bundler/schemas.ts'
import { sources } from '../../bundler/sources.ts'
import config from '../../rollup.config.mjs'

const test = suite('schemas')

/** Bundles one line of TypeScript with the contract. */
async function bundle(line: string): Promise<void> {
  const entry = join(root, 'src/entry-of-a-test.ts')
  const source: Plugin = {
    name: 'entry',
    resolveId: (id) => (id === entry ? id : null),
    load: (id) => (id === entry ? line : null)
  }
  const { load, ...rest } = sources() as Plugin & { load(id: string): Promise<unknown> }
  const compile: Plugin = { ...rest, load: (id: string) => (id === entry ? null : load(id)) as never }
  const build = await rollup({ input: entry, plugins: [source, compile, withoutSchemas()] })
  await build.generate({ format: 'es' })
}

test('the build of the console has the step', () => {
  assert.ok((config.plugins as Plugin[]).some(({ name }) => name === 'without-schemas'))
})

test('a schema in the console fails the build, and so does zod', async () => {
  await assert.rejects(bundle("import { QrCode } from '../contract/qr.schema.ts'\nconsole.log(QrCode)"), /\.schema\.ts/)
  await assert.rejects(bundle("import * as z from 'zod'\nconsole.log(z)"), /zod/)
})

test('a call does not fail it', async () => {
  await bundle("import { drawQr } from '../contract/qr.ts'\nconsole.log(drawQr)")
})

test.run()

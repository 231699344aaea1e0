// What the how-tos write, in a copy of the project: it compiles, follows the house rules, and the tests that they
// create pass.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { copyProject, createdBy, FILES_MAX, followDocument } from '../house/how-to.ts'
import { isCode, isTestFile, projectImports, root, textOf } from '../house/sources.ts'

const test = suite('results of the how-tos')

/** House rules that a change can break. */
const RULES = ['order', 'layout', 'files', 'calls', 'sentence-pairs', 'translations']

/** Tests that fail when a call or a setting is not in every table that needs it. */
const TESTS_OF_ALL = [
  'test/contract/requests.test',
  'test/hub/every-call.test',
  'test/hub/messages/operations.test',
  'test/hub/handlers/system/openapi.test'
]

const run = promisify(execFile)

/** Runs a program in a folder. @returns its output if it failed; empty otherwise */
async function outputOfFailure(cwd: string, program: string, args: readonly string[]): Promise<string> {
  try {
    await run(program, args, { cwd })
    return ''
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    return `${program} ${args.join(' ')}\n${stdout}${stderr}`
  }
}

const bin = (name: string) => join(root, 'node_modules/.bin', name)

let folder = ''
/** The files that each how-to touches. */
let touched: Readonly<Record<string, readonly string[]>> = {}
const touchedFiles = () => [...new Set(Object.values(touched).flat())]

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'how-to-'))
  copyProject(folder)
})
test.after(() => rmSync(folder, { recursive: true }))

test('the how-tos are followed, and their code is formatted', async () => {
  touched = Object.fromEntries(Object.keys(FILES_MAX).map((path) => [path, followDocument(folder, path, true)]))
  const formatted = touchedFiles().filter((path) => !path.endsWith('.md'))
  assert.equal(await outputOfFailure(folder, bin('biome'), ['check', '--write', ...formatted]), '')
})

test('what the how-tos write compiles, with everything that imports it', async () => {
  const files = touchedFiles()
  const importers = projectImports().filter(({ to }) => files.includes(to))
  const include = [...files, ...importers.map(({ from }) => from)].filter(isCode).map((path) => `../${path}`)
  // In build/, which git ignores: it is no file of the project.
  writeFileSync(join(folder, 'build/how-to.json'), JSON.stringify({ extends: '../test/tsconfig.json', include }))
  // Each checker reads and checks what its files import: four, the default, take twice the processor time of one.
  assert.equal(await outputOfFailure(folder, bin('tsc'), ['-p', 'build/how-to.json', '--checkers', '1']), '')
})

test('what the how-tos write follows the house rules, and passes its tests', async () => {
  const created = Object.keys(FILES_MAX).flatMap((path) => createdBy(textOf(path)).filter(isTestFile))
  const files = [...RULES.map((rule) => `test/house/${rule}.test`), ...TESTS_OF_ALL, ...created]
  assert.equal(await outputOfFailure(folder, process.execPath, ['test/run.mjs', ...files]), '')
})

test.run()

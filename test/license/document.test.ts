// The commands of docs/license.md, run as written, with a hub that takes the key and the licence.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { SUCCESS } from '../../contract/codes.ts'
import { activateLicense, deactivateLicense, getLicense } from '../../contract/license/calls.ts'
import { LICENSE_STATE } from '../../contract/license/license.ts'
import { readTrustedKeys } from '../../pack/trusted-keys.ts'
import { startHub, type TestHub } from '../kit/hub/hub.ts'

const ROOT = join(import.meta.dirname, '../..')
const MACHINE = '0123456789abcdef0123456789abcdef'
const TITLE = 'Diocese of Elsewhere'
const BLOCKS = [...readFileSync(join(ROOT, 'docs/license.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(
  ([, block = '']) => block
)

/** The block that contains a text. */
function blockWith(text: string): string {
  const found = BLOCKS.find((block) => block.includes(text))
  assert.ok(found, text)
  return found
}

const test = suite('document of the licence server')
let folder: string
let hub: TestHub | undefined
let server: ChildProcess | undefined
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'license-document-'))
  for (const name of ['license', 'contract', 'pack', 'node_modules', 'package.json'])
    symlinkSync(join(ROOT, name), join(folder, name))
})
test.after.each(async () => {
  server?.kill()
  await hub?.close()
  rmSync(folder, { recursive: true })
})

const environment = () => ({
  ...process.env,
  LICENSES: 'issuer/licenses.json',
  LICENSE_KEY: 'issuer/key.pem'
})
const run = (script: string) =>
  execFileSync('sh', ['-e', '-c', script], { cwd: folder, encoding: 'utf8', stdio: 'pipe', env: environment() })

/** Makes the key and the licence, and gives the key to a hub. */
async function prepare(address?: string): Promise<TestHub> {
  run(blockWith(' key issuer/key.pem'))
  run(blockWith('cp issuer/license-keys.pem'))
  assert.match(run(blockWith(' add ')), /"title":"Diocese of Elsewhere","sn":"A1B2C3D4"/)
  const trusted = readTrustedKeys({
    paths: join(folder, 'data/license-keys.pem'),
    folders: [folder],
    isDevelopment: false
  })
  hub = await startHub({ license: { trusted, machine: MACHINE, ...(address && { server: address }) } })
  return hub
}

test('a file that is made with the commands of the document is accepted by the hub', async () => {
  const { parts } = await prepare()
  run(blockWith(' issue '))
  const file = JSON.parse(readFileSync(join(folder, 'issuer/elsewhere.license'), 'utf8'))
  assert.deepEqual(parts.license.install(file), { state: LICENSE_STATE.valid })
  const { statement } = parts.license.status()
  assert.deepEqual(
    [statement?.title, statement?.limits['max-live-count'], statement?.limits['max-dev-count']],
    [TITLE, 100, 50]
  )
})

test('a hub activates the licence at the server of the document, and another one after it was given back', async () => {
  const port = Number(/serve (\d+)/.exec(blockWith(' serve '))?.[1])
  const first = await prepare(`http://127.0.0.1:${port}`)
  server = spawn(process.execPath, ['license/server/main.ts', 'serve', String(port)], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment()
  })
  if (server.stdout) await once(server.stdout, 'data')
  const admin = first.clientAs()
  const activate = async () => (await admin.send(activateLicense, { 'user-name': TITLE, sn: 'A1B2C3D4' })).result
  assert.equal(await activate(), SUCCESS)
  assert.match(run('node license/server/main.ts list'), new RegExp(`"machine":"${MACHINE}"`))
  assert.throws(
    () => run(`node license/server/main.ts issue A1B2C3D4 ${'f'.repeat(32)} issuer/second.license`),
    /release it first/
  )
  const [disable = '', enable = '', release = ''] = blockWith(' disable ').split('\n')
  run(disable)
  assert.equal(await activate(), LICENSE_STATE.disabled)
  run(enable)
  assert.equal(await activate(), SUCCESS)
  run(release)
  assert.match(run('node license/server/main.ts list'), /"machine":""/)
  assert.equal((await admin.send(deactivateLicense, { 'user-name': TITLE })).result, SUCCESS)
  assert.equal((await admin.send(getLicense, {}))['license-reg'].status, LICENSE_STATE.none)
})

test.run()

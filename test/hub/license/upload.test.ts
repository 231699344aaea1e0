// Licence files that arrive by the API.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../contract/access/permissions.ts'
import type { Envelope } from '../../../contract/call.ts'
import { NOT_PERMITTED, SUCCESS, TOO_LARGE } from '../../../contract/codes.ts'
import { getLicense, uploadLicense } from '../../../contract/license/calls.ts'
import { FREE_LIMITS, LICENSE_STATE } from '../../../contract/license/license.ts'
import { listLog } from '../../../contract/log.ts'
import { LICENSE_FILE_MAX, type LicenseStatement, signStatement } from '../../../license/statement.ts'
import { addSignedInUser, type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'

const MACHINE = 'a'.repeat(32)
const issuer = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const STATEMENT: LicenseStatement = {
  title: 'Diocese',
  sn: 'A1B2C3D4',
  machine: MACHINE,
  permissions: 1,
  limits: { ...FREE_LIMITS, 'max-live-count': 2 },
  issued: Date.now(),
  expires: 0,
  'support-end': 0
}

const test = suite('license files')
let hub: TestHub
let admin: Client
test.before.each(async () => {
  hub = await startHub({ license: { trusted: [issuer.publicKey], machine: MACHINE } })
  admin = hub.clientAs()
})
test.after.each(() => hub.close())

const sign = (fields: object = {}, key = issuer.privateKey) =>
  JSON.stringify(signStatement({ ...STATEMENT, ...fields } as LicenseStatement, key))

async function upload(content: string, client = admin): Promise<Envelope> {
  const form = new FormData()
  form.append('file', new File([content], 'hub.license'))
  return (await client.post(`/api${uploadLicense.path}`, form)).json() as never
}
const state = async () => (await admin.send(getLicense, {}))['license-reg'].status

test('a licence file is added; only users who edit the system configuration may add one', async () => {
  assert.equal((await upload(sign(), addSignedInUser(hub, 'vera', SYSTEM_CONFIG_VIEW))).result, NOT_PERMITTED)
  assert.equal(await state(), LICENSE_STATE.none)
  assert.equal((await upload(sign())).result, SUCCESS)
  assert.equal(await state(), LICENSE_STATE.valid)
})

test('a file of the greatest size is read, and one byte more is refused', async () => {
  const text = sign()
  assert.equal((await upload(text.padEnd(LICENSE_FILE_MAX))).result, SUCCESS)
  const refused = await upload(text.padEnd(LICENSE_FILE_MAX + 1))
  assert.deepEqual([refused.result, refused.max], [TOO_LARGE, LICENSE_FILE_MAX])
  assert.equal((await upload(text.padEnd(64 * LICENSE_FILE_MAX))).result, TOO_LARGE)
})

test('files that are no licence for this hub have their state and sentence, and the licence before stays', async () => {
  assert.equal((await upload(sign())).result, SUCCESS)
  const { invalid, caKeyError, caLicenseError, expired, error } = LICENSE_STATE
  const changed = JSON.parse(sign())
  changed.statement = Buffer.from(JSON.stringify({ ...STATEMENT, limits: FREE_LIMITS })).toString('base64')
  const DAY = 24 * 60 * 60 * 1000
  for (const [content, result, reason, sentence] of [
    ['{}', invalid, undefined, /^Invalid certificate/],
    [sign({ machine: 'b'.repeat(32) }), invalid, 'copied', /belongs to another machine/],
    [sign({ permissions: 0 }), invalid, 'server-only', /cannot be installed from a file/],
    [sign({ issued: STATEMENT.issued - 1 }), invalid, 'older', /A newer license/],
    [sign({}, stranger.privateKey), caKeyError, undefined, /Install the public key of the issuer/],
    ['no JSON', invalid, 'no-license', /The file is not a license file/],
    [JSON.stringify(changed), caLicenseError, undefined, /not trusted/],
    [sign({ expires: STATEMENT.issued - DAY }), expired, undefined, /expired/],
    [sign({ issued: Date.now() + 2 * DAY }), error, 'clock-set-back', /clock of the hub/]
  ] as const) {
    const refused = await upload(content)
    assert.deepEqual([refused.result, refused['license-state'], refused['license-reason']], [result, result, reason])
    assert.match(refused.message ?? '', sentence)
    assert.equal(await state(), LICENSE_STATE.valid)
  }
  // Some states have the number of another result code.
  const { list } = await admin.send(listLog, { type: 'operation', outcome: 'failed' })
  assert.deepEqual(new Set(list.map(({ code }) => code)), new Set([error, expired]))
})

test('a signed statement with absurd values is damaged', async () => {
  for (const fields of [
    { title: 'x'.repeat(65) },
    { title: ' Diocese' },
    { title: 1 },
    { sn: 'XYZ' },
    { sn: 'A'.repeat(65) },
    { machine: '../etc/machine-id' },
    { permissions: -1 },
    { permissions: 2 ** 32 },
    { issued: 8.64e15 + 1 },
    { expires: Number.MAX_SAFE_INTEGER },
    { 'support-end': 1e300 },
    { limits: { ...FREE_LIMITS, 'max-dev-count': 1e9 } },
    { limits: { ...FREE_LIMITS, 'max-dev-count': '5' } },
    { limits: [] }
  ])
    assert.equal((await upload(sign(fields))).result, LICENSE_STATE.invalid, JSON.stringify(fields))
  assert.equal(await state(), LICENSE_STATE.none)
  // Unknown fields are left out, and do not reach other users.
  assert.equal((await upload(sign({ limits: { ...STATEMENT.limits, more: 1 }, more: 'x' }))).result, SUCCESS)
  assert.deepEqual((await admin.send(getLicense, {}))['license-reg'].license, STATEMENT.limits)
})

test.run()

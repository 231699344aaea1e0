import assert from 'node:assert/strict'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHub } from '../kit/hub/hub.ts'
import { suite, suiteRequiring } from '../kit/runner/suite.ts'
import { runUserCommand } from '../kit/user-command.ts'

const PROGRAMS = ['reset-password', 'reset-second-factor']
const NOBODY = 65534

const test = suite('user-command')
const rootTest = suiteRequiring(
  'user-command',
  process.getuid?.() === 0 ? undefined : 'Only root can make files of another user.'
)
let data: string
for (const each of [test, rootTest]) {
  each.before.each(() => {
    data = mkdtempSync(join(tmpdir(), 'reset-'))
  })
  each.after.each(() => rmSync(data, { recursive: true }))
}

for (const program of PROGRAMS) {
  test(`${program} without a user, and in a folder without a hub, creates nothing`, () => {
    assert.match(runUserCommand(program, data).output, /Name the user/)
    const { status, output } = runUserCommand(program, data, 'Admin')
    assert.equal(status, 65)
    assert.match(output, /not a data folder/)
    assert.deepEqual(readdirSync(data), [])
  })

  rootTest(`${program} refuses to change the data folder of another user as root`, async () => {
    const hub = await startHub({ data })
    await hub.close()
    chownSync(data, NOBODY, NOBODY)
    const entries = readdirSync(data)
    const { status, output } = runUserCommand(program, data, 'Admin')
    assert.equal(status, 1)
    const command = `sudo -u '#${NOBODY}' env DATA=${data} ${process.execPath} `
    assert.ok(output.includes(command), output)
    assert.match(output, /Nothing was changed/)
    assert.deepEqual(readdirSync(data), entries)
  })
}

test.run()
rootTest.run()

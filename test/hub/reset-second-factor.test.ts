import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { enableSecondFactor, startSecondFactor } from '../../contract/access/second-factor.ts'
import { getSession, login } from '../../contract/access/session.ts'
import { NOT_LOGGED_IN, SECOND_FACTOR_REQUIRED, SUCCESS } from '../../contract/codes.ts'
import { listLog } from '../../contract/log.ts'
import { appCode } from '../kit/hub/app-code.ts'
import { md5, startHub } from '../kit/hub/hub.ts'
import { runUserCommand } from '../kit/user-command.ts'

const test = suite('reset-second-factor')
let data: string
test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'reset-'))
})
test.after.each(() => rmSync(data, { recursive: true }))

const run = (...words: string[]) => runUserCommand('reset-second-factor', data, ...words)

test('on the machine itself the second factor of a user is reset while the hub is stopped', async () => {
  const first = await startHub({ data })
  const client = await first.signIn()
  const { secret } = await client.send(startSecondFactor, {})
  assert.equal((await client.send(enableSecondFactor, { secret, code: appCode(secret) })).result, SUCCESS)
  const running = run('Admin')
  assert.equal(running.status, 75)
  assert.match(running.output, /Stop the hub first.*Nothing was changed/s)
  await first.close()

  assert.match(run('nobody').output, /There is no user nobody, only Admin\. Nothing was changed/)
  assert.equal(run('Admin').status, 0)
  assert.match(run('Admin').output, /Admin has no second factor/)

  const second = await startHub({ data })
  try {
    const stale = second.client()
    stale.cookie = client.cookie
    assert.equal((await stale.send(getSession, {})).result, NOT_LOGGED_IN)
    const browser = second.client()
    const reply = await browser.send(login, { id: 'Admin', pass: md5('Admin') })
    assert.notEqual(reply.result, SECOND_FACTOR_REQUIRED)
    assert.equal(reply.result, SUCCESS)
    const { list } = await browser.send(listLog, { type: 'system' })
    assert.ok(list.some(({ event, detail }) => event === 'second-factor-reset' && detail === 'Admin'))
  } finally {
    await second.close()
  }
})

test.run()

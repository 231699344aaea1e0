import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enableSecondFactor, startSecondFactor } from '../../contract/access/second-factor.ts'
import { getSession } from '../../contract/cloud/calls.ts'
import { NOT_LOGGED_IN, SUCCESS } from '../../contract/codes.ts'
import { listLog } from '../../contract/log.ts'
import { startCloud } from '../kit/cloud/cloud.ts'
import { bothDatabases } from '../kit/cloud/stores.ts'
import { appCode } from '../kit/hub/app-code.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('commands that change a user of the cloud')

let data = ''
test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'cloud-user-'))
})
test.after.each(() => rmSync(data, { recursive: true }))

function run(program: string, databaseUrl: string | undefined, ...words: string[]) {
  const env = { ...process.env, CLOUD_DATA: data, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }
  const { status, stdout, stderr } = spawnSync(process.execPath, [`cloud/${program}.ts`, ...words], {
    env,
    encoding: 'utf8'
  })
  return { status, output: stdout + stderr }
}

for (const { test: register, databaseUrl } of bothDatabases(test))
  register('a lost password and a lost phone are replaced on the machine itself', async () => {
    const url = await databaseUrl()
    const first = await startCloud({ data, databaseUrl: url })
    const client = await first.clientAs()
    const { secret } = await client.send(startSecondFactor, {})
    assert.equal((await client.send(enableSecondFactor, { secret, code: appCode(secret) })).result, SUCCESS)
    if (url === undefined) assert.match(run('reset-password', url, 'Admin').output, /another node uses.*Nothing was/s)
    await first.close()

    assert.match(
      run('reset-password', url, 'nobody').output,
      /There is no user nobody, only Admin\. Nothing was changed/
    )
    assert.match(run('reset-password', url).output, /Name the user/)
    const reset = run('reset-password', url, 'Admin')
    assert.equal(reset.status, 0)
    assert.match(reset.output, /The second factor stays/)
    const [, password = ''] = /New password of Admin: (\S+)/.exec(reset.output) ?? []
    assert.equal(run('reset-second-factor', url, 'Admin').status, 0)
    assert.match(run('reset-second-factor', url, 'Admin').output, /Admin has no second factor/)

    const second = await startCloud({ data, databaseUrl: url })
    try {
      const stale = second.client()
      stale.cookie = client.cookie
      assert.equal((await stale.send(getSession, {})).result, NOT_LOGGED_IN)
      await assert.rejects(second.signIn())
      const admin = await second.signIn('Admin', password)
      assert.equal((await admin.send(getSession, {}))['default-password'], undefined)
      const { list } = await admin.send(listLog, { type: 'system' })
      assert.deepEqual(
        list.map(({ event, detail, level }) => `${event} ${detail} ${level}`),
        ['second-factor-reset Admin 2', 'password-reset Admin 2']
      )
    } finally {
      await second.close()
    }
  })

test('a folder without data is refused, and stays empty', () => {
  const { status, output } = run('reset-password', undefined, 'Admin')
  assert.equal(status, 1)
  assert.match(output, /has no data of a cloud/)
})

test.run()

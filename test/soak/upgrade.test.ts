// SIGKILL at random moments of upgrades of the whole hub: afterwards a hub works, with all acknowledged changes.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import { SUCCESS } from '../../contract/codes.ts'
import { setDeviceName } from '../../contract/machine/name.ts'
import { getPower } from '../../contract/machine/power.ts'
import { confirmUpdate, startUpdate } from '../../contract/update.ts'
import { Installation } from '../kit/hub/releases.ts'
import { until } from '../kit/until.ts'

const test = suite('killed upgrades of the whole hub')

/** KILLS in the environment: fewer, to try a change. */
const KILLS = Number(process.env.KILLS ?? 200)

const installation = new Installation()
test.after(() => installation.close())

/** Uploads an update, and begins to install it. */
async function begin(update: Buffer): Promise<void> {
  const { result, id } = await installation.repeat(() => installation.upload(update))
  if (result === SUCCESS) await installation.hub.send(startUpdate, { id }).catch(() => undefined)
}

/** Confirms a release on trial, and waits for the end of the upgrade. @returns version of the hub */
async function settle(): Promise<string> {
  let version = ''
  await until(async () => {
    const { releases, state, version: now } = await installation.status()
    version = now
    const trial = releases?.find(({ use }) => use === 'trial')
    if (trial) await confirm(trial.version).catch(() => undefined)
    return releases?.some(({ use }) => use === 'active') && (state & ~0x200) === 0
  }, 'the upgrade has ended')
  return version
}

const confirm = (version: string) =>
  installation.hub.send(confirmUpdate, { script: `app-${version.slice(-1).repeat(8)}.js` })

test(`${KILLS} kills of hub, update service and the process that runs the trial leave a working hub`, async () => {
  installation.addPackage({ version: '1.0.0' })
  await installation.start()
  let number = 0
  const nextVersion = () => `1.${++number}.${number % 10}`
  // The first one is not killed: it says how long an upgrade takes on this machine.
  const first = performance.now()
  await begin(installation.createUpdate({ version: nextVersion() }))
  await settle()
  const duration = performance.now() - first
  let installed = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const update = installation.createUpdate({ version: nextVersion() })
    const name = `hub ${kill}`
    await until(async () => {
      const { result } = await installation.hub.send(setDeviceName, { name }).catch(() => ({ result: -1 }))
      return result === SUCCESS
    }, 'the name is changed')
    const before = (await installation.status()).version
    await begin(update)
    const killed = sleep(Math.random() * 1.5 * duration).then(() =>
      installation.kill(kill % 4 === 0 ? 'updater/main.ts' : 'hub/main.ts')
    )
    await settle()
    await killed
    installed += (await settle()) === before ? 0 : 1
    const { name: stored } = await installation.repeat((hub) => hub.send(getPower, {}))
    assert.equal(stored, name, `after kill ${kill}`)
  }
  console.log(`${installed} of ${KILLS} upgrades were completed`)
  assert.ok(installed > KILLS / 4)
})

test.run()

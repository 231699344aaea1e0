// Kills the hub in the middle of a hardware update, with the demonstration program.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { hardwareUpdateStatus, startHardwareUpdate } from '../../../../contract/hardware-update.ts'
import { INSTALLATION_STATE } from '../../../../contract/installation-state.ts'
import { listLog } from '../../../../contract/log.ts'
import { DOWNLOAD, programFolder, startDemonstration } from '../../../kit/hub/hardware-program.ts'
import { startHubProcess } from '../../../kit/hub/hub-process.ts'
import { until } from '../../../kit/until.ts'

const test = suite('killed hub during a hardware update')
programFolder(test)

const data = mkdtempSync(join(tmpdir(), 'headend-hardware-kill-'))
test.after(() => rmSync(data, { recursive: true, force: true }))

test('the update goes on, and the next hub reports and logs its end', async () => {
  const demonstration = startDemonstration()
  demonstration.holdAt(DOWNLOAD)
  const start = () =>
    startHubProcess(data, undefined, 'hub/main.ts', ['/usr/bin/env', `HARDWARE_UPDATE=${demonstration.path}`])
  const first = await start()
  await until(async () => (await first.send(hardwareUpdateStatus, {})).components.length > 0, 'the components')
  await first.send(startHardwareUpdate, {})
  await until(
    async () => (await first.send(hardwareUpdateStatus, {})).state === INSTALLATION_STATE.download,
    'the download'
  )
  await first.kill()
  const second = await start()
  await until(
    async () => (await second.send(hardwareUpdateStatus, {})).text === 'Downloading, 0 %',
    'the download that goes on'
  )
  demonstration.release()
  await until(
    async () => (await second.send(hardwareUpdateStatus, {})).state === INSTALLATION_STATE.done,
    'the end of the update'
  )
  const { list } = await second.send(listLog, { type: 'system', start: 0, count: 20 })
  const lines = list.filter(({ event }) => event === 'hardware-updated').map(({ detail }) => detail)
  assert.deepEqual(lines, ['Front panel 1.3 → 1.4, Capture card 1 2.0.3 → 2.1.0'])
  await demonstration.whenEnded()
  await second.kill()
})

test.run()

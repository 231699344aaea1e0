// Power cuts at random moments of upgrades over the air, in QEMU. Afterwards a hub works, and has all changes.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { SUCCESS } from '../../contract/codes.ts'
import { setDeviceName } from '../../contract/machine/name.ts'
import { getPower } from '../../contract/machine/power.ts'
import { startUpdate } from '../../contract/update.ts'
import { readDebianPackage } from '../../firmware-pack/debian-package.ts'
import { buildPackage, packageFile } from '../kit/deb/package-build.ts'
import { generateSigningKey } from '../kit/hub/console-update.ts'
import { signInFirst } from '../kit/hub/first-sign-in.ts'
import type { HubConnection } from '../kit/hub/hub-process.ts'
import { createUpdateOf, downloadUpdate, publishUpdate, settleUpgrade } from '../kit/hub/over-the-air.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { startStaticServer } from '../kit/net/static-server.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'
import { untilEmulated } from '../kit/until.ts'
import { BootedDebian, missingForBootedDebian } from '../kit/virtual-machine/booted-debian.ts'
import { HOST_ADDRESS } from '../kit/virtual-machine/virtual-machine.ts'

const PASSWORD = 'A new password 1'
/** CUTS in the environment: fewer, to try a change. */
const CUTS = Number(process.env.CUTS ?? 10)

const test = suiteRequiring('power cuts', missingForBootedDebian())
const port = await freeTcpPort()
const debian = new BootedDebian(port)
const server = await startStaticServer()
const { signer, publicKey } = generateSigningKey()

test.after(async () => {
  await server.close()
  await debian.close()
})

/** Signs in once the hub answers: after a power cut it may start a second time, with the release before. */
const signIn = (admin: HubConnection) =>
  untilEmulated(() =>
    admin.signIn(PASSWORD).then(
      () => true,
      () => false
    )
  )

/** Downloads an update and begins to install it. */
async function beginUpgrade(admin: HubConnection, version: string): Promise<void> {
  const update = createUpdateOf(readDebianPackage(packageFile()), version, signer)
  const address = server.address.replace('127.0.0.1', HOST_ADDRESS)
  await signIn(admin)
  const id = await downloadUpdate(admin, address, publishUpdate(server, version, update, signer))
  assert.equal((await admin.send(startUpdate, { id })).result, SUCCESS)
}

test(`${CUTS} power cuts during upgrades leave a working hub with all changes`, async () => {
  buildPackage()
  debian.create(readDebianPackage(packageFile()))
  await debian.start()
  await debian.installPackage()
  const admin = await signInFirst(`http://127.0.0.1:${port}`, await debian.setupCode(), PASSWORD)
  await debian.trust(publicKey)
  // The first one is not interrupted: it says how long an upgrade takes on this machine.
  await beginUpgrade(admin, '10.1.0')
  const first = performance.now()
  assert.equal(await settleUpgrade(admin), '10.1.0')
  const duration = performance.now() - first
  let installed = 0
  for (let cut = 0; cut < CUTS; cut++) {
    const [name, version] = [`Cut ${cut}`, `10.${cut + 2}.0`]
    await signIn(admin)
    assert.equal((await admin.send(setDeviceName, { name })).result, SUCCESS)
    await beginUpgrade(admin, version)
    let isCut = false
    const moment = Math.random() * duration
    const settled = settleUpgrade(admin, () => isCut)
    await sleep(moment)
    isCut = true
    await debian.cutPower()
    await settled
    await debian.start()
    await signIn(admin)
    const after = await settleUpgrade(admin)
    installed += after === version ? 1 : 0
    console.log(`Cut ${cut} after ${(moment / 1000).toFixed(1)} of ${(duration / 1000).toFixed(1)} s: version ${after}`)
    assert.equal((await admin.send(getPower, {})).name, name)
    assert.equal(await debian.run('systemctl list-units --failed --plain --no-legend headend*'), '')
  }
  console.log(`${installed} of ${CUTS} upgrades were completed`)
})

test.run()

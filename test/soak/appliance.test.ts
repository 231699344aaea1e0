// The disk of the appliance in QEMU, from the first start to updates that fail. Each test continues where the one
// before it ended.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  createReadStream,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SUCCESS } from '../../contract/codes.ts'
import { startUpdate, updateStatus } from '../../contract/update.ts'
import { BUNDLE_IMAGE, createBundle } from '../../firmware-pack/appliance/bundle.ts'
import { offsetOf } from '../../firmware-pack/appliance/disk-layout.ts'
import { readDebianPackage } from '../../firmware-pack/debian-package.ts'
import { DEVELOPMENT_SWU_KEY, exportPublicKey } from '../../firmware-pack/keys.ts'
import { buildPackage, OWN_VERSION, PROJECT, packageFile } from '../kit/deb/package-build.ts'
import { generateSigningKey } from '../kit/hub/console-update.ts'
import { signInFirst } from '../kit/hub/first-sign-in.ts'
import { connectHub, type HubConnection } from '../kit/hub/hub-process.ts'
import { createUpdateOf, downloadUpdate, publishUpdate, settleUpgrade } from '../kit/hub/over-the-air.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { startStaticServer } from '../kit/net/static-server.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'
import { untilEmulated } from '../kit/until.ts'
import { HOST_ADDRESS, missingForVirtualMachine, VirtualMachine } from '../kit/virtual-machine/virtual-machine.ts'

const OUTPUT = `${PROJECT}/build/headend_${OWN_VERSION}_amd64-development`
const PASSWORD = 'A new password 1'
/** Bytes of a disk that is larger than the built one. */
const DISK_SIZE = 4 * 2 ** 30
const UPGRADE = '10.1.0'

const test = suiteRequiring(
  'appliance',
  missingForVirtualMachine(['/usr/bin/mmdebstrap', '/usr/bin/rauc', '/usr/bin/mcopy'])
)

// Beside the built disk, so that files can be linked.
const folder = mkdtempSync(`${PROJECT}/build/appliance-test-`)
const path = (name: string) => join(folder, name)
const port = await freeTcpPort()
const url = `http://127.0.0.1:${port}`
const server = await startStaticServer()
const { signer, publicKey } = generateSigningKey()
const machine = new VirtualMachine({ folder, disk: path('disk.img'), port })

test.after(async () => {
  await machine.cutPower()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Builds an image with the fastest compression. */
function build(format: 'disk' | 'raucb'): void {
  const env = { ...process.env, GZIP_LEVEL: '1', VERSION: '', RAUC_KEY: '', RAUC_CERT: '' }
  const command = ['firmware-pack/appliance/build.ts', format]
  execFileSync(process.execPath, command, { cwd: PROJECT, env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Makes a bundle of an image, and a stick with it. */
function createStick(name: string, image: string): void {
  const key = { key: DEVELOPMENT_SWU_KEY, certificate: DEVELOPMENT_SWU_KEY }
  mkdirSync(path(`${name}-parts`))
  createBundle(image, name, key, path(`${name}-parts`), path(`${name}.raucb`))
  writeFileSync(path(`${name}.img`), '')
  truncateSync(path(`${name}.img`), 1 << 30)
  execFileSync('/sbin/mkfs.vfat', ['-n', 'HEADEND', path(`${name}.img`)], { stdio: 'ignore' })
  execFileSync('mcopy', ['-i', path(`${name}.img`), path(`${name}.raucb`), '::/headend.raucb'])
  rmSync(path(`${name}.raucb`))
}

/** Makes an image with further files from that of the bundle. */
function changeImage(image: string, name: string, files: Record<string, string>): string {
  const tree = path(`${name}-tree`)
  execFileSync('unsquashfs', ['-quiet', '-no-progress', '-dest', tree, image], { stdio: 'ignore' })
  for (const [file, text] of Object.entries({ ...files, 'usr/lib/headend-appliance/image': name })) {
    mkdirSync(join(tree, file, '..'), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  const options = ['-comp', 'gzip', '-Xcompression-level', '1', '-noappend', '-quiet', '-no-progress']
  execFileSync('mksquashfs', [tree, path(`${name}-root.img`), ...options], { stdio: 'ignore' })
  rmSync(tree, { recursive: true })
  return path(`${name}-root.img`)
}

/** Signs in with the password of before the updates. */
async function signIn(): Promise<HubConnection> {
  const admin = connectHub(url)
  await admin.signIn(PASSWORD)
  return admin
}

test('two builds of the disk have the same bytes, and the bundle has the root image of the disk', async () => {
  buildPackage()
  build('disk')
  const first = await hashFile(`${OUTPUT}.img`)
  build('disk')
  assert.equal(await hashFile(`${OUTPUT}.img`), first)
  linkSync(`${OUTPUT}.img`, path('built.img'))
  execFileSync('cp', ['--sparse=always', path('built.img'), path('disk.img')])
  truncateSync(path('disk.img'), DISK_SIZE)
  build('raucb')
  const contents = ['-quiet', '-no-progress', '-dest', path('bundle'), `${OUTPUT}.raucb`]
  execFileSync('unsquashfs', contents, { stdio: 'ignore' })
  copyFileSync(path(`bundle/${BUNDLE_IMAGE}`), path('root.img'))
  const image = path('root.img')
  const size = Number(execFileSync('stat', ['--format=%s', image], { encoding: 'utf8' }))
  const slot = Buffer.alloc(size)
  const disk = openSync(path('built.img'), 'r')
  readSync(disk, slot, 0, size, offsetOf('rootA'))
  closeSync(disk)
  assert.equal(createHash('sha256').update(slot).digest('hex'), await hashFile(image))
})

test('it starts to a console at port 80, whose setup code is at the login prompt, and root cannot sign in', async () => {
  machine.start()
  await machine.waitFor(/Headend: slot A, try 1 of 3/)
  const [, code = ''] = await machine.waitFor(/Headend setup code: (\S+)/)
  await machine.waitFor(/Slot A is good\./)
  assert.match(await (await fetch(url)).text(), /<title>/)
  await signInFirst(url, code, PASSWORD)
  machine.type('root\n')
  await machine.waitFor(/Password: /)
  machine.type('\n')
  await machine.waitFor(/Login incorrect/)
  await machine.cutPower()
  const { partitiontable } = JSON.parse(execFileSync('sfdisk', ['--json', path('disk.img')], { encoding: 'utf8' }))
  assert.ok(partitiontable.partitions[3].size * 512 > DISK_SIZE / 2, 'the data partition has grown')
})

test('a bundle on a stick is installed into the other slot, which is marked good and has the data of before', async () => {
  const second = changeImage(path('root.img'), 'second', {
    'etc/issue.d/second.issue': 'Second image\n',
    'etc/headend/trusted-keys.pem': String(exportPublicKey(publicKey))
  })
  createStick('second', second)
  machine.start(path('second.img'))
  await machine.waitFor(/Slot A is good\./)
  await machine.waitFor(/The bundle is installed\. Restarting\./)
  await machine.waitFor(/Headend: slot B, try 1 of 3/)
  await machine.waitFor(/Second image/)
  await machine.waitFor(/Slot B is good\./)
  await signIn()
})

test('its update service installs an upgrade over the air, signed with a key in the image', async () => {
  const admin = await signIn()
  await untilEmulated(async () => (await admin.send(updateStatus, {})).releases)
  const built = readDebianPackage(packageFile())
  const id = publishUpdate(server, UPGRADE, createUpdateOf(built, UPGRADE, signer), signer)
  const ready = await downloadUpdate(admin, server.address.replace('127.0.0.1', HOST_ADDRESS), id)
  assert.equal((await admin.send(startUpdate, { id: ready })).result, SUCCESS)
  await settleUpgrade(admin)
  assert.equal((await admin.send(updateStatus, {})).version, UPGRADE)
  await machine.cutPower()
})

test('after a power cut during an installation the slot of before starts, and the installation is repeated', async () => {
  createStick('third', path('root.img'))
  machine.start(path('third.img'))
  await machine.waitFor(/Installing a bundle into slot A\./)
  await machine.waitFor(/Copying image to rootfs/)
  await machine.cutPower()
  machine.start(path('third.img'))
  await machine.waitFor(/Headend: slot B, try 1 of 3/)
  await machine.waitFor(/Slot B is good\./)
  await signIn()
  await machine.waitFor(/The bundle is installed\. Restarting\./)
  await machine.waitFor(/Headend: slot A, try 1 of 3/)
  await machine.waitFor(/Slot A is good\./)
  const admin = await signIn()
  // The release over the air is newer than that of the image.
  assert.equal((await admin.send(updateStatus, {})).version, UPGRADE)
  await machine.cutPower()
})

test('two power cuts while it starts revert nothing', async () => {
  // While the kernel starts, and while services do.
  for (const moment of [/Headend: slot A, try 1 of 3/, /Headend: slot A, try 2 of 3[\s\S]*headend login: /]) {
    machine.start()
    await machine.waitFor(moment)
    await machine.cutPower()
  }
  machine.start()
  await machine.waitFor(/Headend: slot A, try 3 of 3/)
  await machine.waitFor(/Slot A is good\./)
  await signIn()
  await machine.cutPower()
})

test('a damaged environment of GRUB is made anew', async () => {
  writeFileSync(path('grubenv'), 'x'.repeat(1024))
  const partition = `${path('disk.img')}@@${offsetOf('ESP')}`
  execFileSync('mcopy', ['-o', '-i', partition, path('grubenv'), '::/grub/grubenv'])
  machine.start()
  await machine.waitFor(/Headend: slot A, try 1 of 3/)
  await machine.waitFor(/The environment of GRUB was damaged, and has been made anew\./)
  await machine.waitFor(/Slot A is good\./)
  await machine.cutPower()
})

test('an image whose hub does not start is tried three times, then the slot of before is back with its data', async () => {
  const unit = '[Service]\nExecStart=\nExecStart=/bin/sh -c "exit 78"\n'
  createStick('bad', changeImage(path('root.img'), 'bad', { 'etc/systemd/system/headend.service.d/bad.conf': unit }))
  machine.start(path('bad.img'))
  await machine.waitFor(/The bundle is installed\. Restarting\./)
  for (const count of [1, 2, 3]) {
    await machine.waitFor(new RegExp(`Headend: slot B, try ${count} of 3`))
    await machine.waitFor(/The hub of slot B is not healthy\. Restarting\./)
  }
  await machine.waitFor(/Headend: slot A, try 1 of 3/)
  await machine.waitFor(/The update failed\. Slot and database are those of before the update\./)
  await machine.waitFor(/Slot A is good\./)
  await signIn()
  await machine.cutPower()
})

test.run()

// The Debian package from the build to the purge, in a clean Debian. Each test continues where the one before it ended.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { SUCCESS } from '../../contract/codes.ts'
import { queryChannel } from '../../contract/stream/channel.ts'
import { startUpdate, updateStatus } from '../../contract/update.ts'
import { exportPublicKey } from '../../firmware-pack/keys.ts'
import { CleanRoot, missingForCleanRoot } from '../kit/deb/clean-root.ts'
import { buildPackage, lint, OWN_VERSION as NEW, PROJECT, packageFile } from '../kit/deb/package-build.ts'
import { findJumps } from '../kit/engine/frame-counter.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { generateSigningKey } from '../kit/hub/console-update.ts'
import { type CountedChannel, startCountedChannel } from '../kit/hub/counted-channel.ts'
import { connectHub, type HubConnection, waitForHub } from '../kit/hub/hub-process.ts'
import { confirmTrial, createUpdateFrom, downloadUpdate, publishUpdate } from '../kit/hub/over-the-air.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { type StaticServer, startStaticServer } from '../kit/net/static-server.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const OLD = '0.0.9'
const RELEASES = '/usr/lib/headend/releases'

const test = suiteRequiring('Debian package', missingForCleanRoot())
const root = new CleanRoot()
const { signer, publicKey } = generateSigningKey()
let hub: ChildProcess
let engine: ChildProcess
let counter: CountedChannel
let url = ''

test.after(async () => {
  await cleanUpMedia()
  await root.close()
})

/** Runs commands in the root, which must succeed. @returns their output */
function run(commands: string): string {
  const { status, output } = root.run(commands)
  assert.equal(status, 0, output)
  return output
}

/** The release that a process runs from. */
const releaseOf = ({ pid }: ChildProcess) => /releases\/([^/]+)\//.exec(readlinkSync(`/proc/${pid}/exe`))?.[1]

test('two builds have the same bytes, and lintian finds nothing', () => {
  const first = buildPackage()
  assert.ok(buildPackage().equals(first))
  assert.equal(lint(packageFile(NEW)), '')
  const env = { ...process.env, VERSION: OLD, XZ_LEVEL: '0' }
  execFileSync(process.execPath, ['make/deb.ts'], { cwd: PROJECT, env, stdio: ['ignore', 'ignore', 'inherit'] })
})

test('apt installs it on a clean Debian, in place of an installation from a clone, and keeps the settings', async () => {
  await root.create()
  for (const version of [OLD, NEW]) copyFileSync(packageFile(version), root.path(`${version}.deb`))
  for (const unit of readdirSync(`${PROJECT}/deploy/systemd`).filter((name) => name.endsWith('.service')))
    root.write(`etc/systemd/system/${unit}`, readFileSync(`${PROJECT}/deploy/systemd/${unit}`, 'utf8'))
  root.write('etc/sysusers.d/headend.conf', readFileSync(`${PROJECT}/deploy/systemd/sysusers.conf`, 'utf8'))
  const [port, linkPort] = [await freeTcpPort(), await freeTcpPort()]
  url = `http://127.0.0.1:${port}`
  const settings = {
    HOST: '127.0.0.1',
    PORT: port,
    LINK_PORT: linkPort,
    HTTPS_PORT: 'off',
    FILES_PORT: 0,
    SRT_PORT: 0,
    RTMP_PORT: 0
  }
  const text = Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
  root.write('etc/default/headend', text)
  const output = run(`apt-get -q update && apt-get -q install -y ./${OLD}.deb`)
  assert.match(output, /headend-engine\.service was of an installation from a clone/)
  assert.equal(readFileSync(root.path('etc/default/headend'), 'utf8'), text)
  const files = readdirSync(root.path('etc/systemd/system')).filter((name) => name.startsWith('headend'))
  assert.deepEqual(files.sort(), [
    'headend-engine.service.dpkg-old',
    'headend-firewall.service.dpkg-old',
    'headend-updater.service.dpkg-old',
    'headend.service.dpkg-old'
  ])
  assert.ok(!existsSync(root.path('etc/sysusers.d/headend.conf')))
  const state = run(`systemctl is-enabled headend headend-engine headend-firewall headend-updater
    systemctl is-enabled nginx || true
    systemd-analyze verify --man=no /usr/lib/systemd/system/headend*.service 2>&1 && echo valid
    id -nG headend | tr ' ' '\\n' | sort | xargs; id -nG headend-engine
    dpkg --verify headend && echo unchanged`)
  assert.equal(
    state,
    'enabled\nenabled\nenabled\nenabled\ndisabled\nvalid\n_chrony headend headend-engine\nheadend-engine\nunchanged\n'
  )
})

test('hub and engine run by the commands of their units, and Admin signs in', async () => {
  engine = root.start('headend-engine')
  hub = root.start('headend')
  await waitForHub(url)
  const console = await (await fetch(url)).text()
  assert.match(console, /<title>/)
  const admin = connectHub(url)
  await admin.signIn()
  counter = await startCountedChannel(admin)
  assert.deepEqual([releaseOf(hub), releaseOf(engine)], [OLD, OLD])
})

test('the firewall service runs by the command of its unit, in a network of its own', () => {
  const output = run(`install -d /run/headend-firewall /var/lib/headend-firewall
    unshare --net setpriv --inh-caps=-all,+net_admin --bounding-set=-all,+net_admin /usr/lib/headend/launch firewall/main.ts &
    timeout 60 sh -c 'until [ -S /run/headend-firewall/socket ]; do sleep 0.1; done' && echo listening
    kill $!; wait $! || true`)
  assert.match(output, /^listening$/m)
})

test('an upgrade starts the new release of the hub, and a running channel loses nothing', async () => {
  assert.match(run(`apt-get -q install -y ./${NEW}.deb`), new RegExp(`Setting up headend \\(${NEW}\\)`))
  // The engine still has its release, and starts processes from it.
  assert.deepEqual(readdirSync(root.path(RELEASES)).sort(), [OLD, NEW])
  assert.ok(existsSync(root.path(`${RELEASES}/${OLD}/build/headend-relay`)))
  hub.kill('SIGUSR2')
  await once(hub, 'exit')
  hub = root.start('headend')
  await waitForHub(url)
  const admin = connectHub(url)
  await admin.signIn()
  assert.equal((await admin.send(queryChannel, { id: counter.id })).channel.name, 'Counter')
  assert.deepEqual([releaseOf(hub), releaseOf(engine)], [NEW, OLD])
  const { continuityGaps, frames } = await counter.recorder.finish()
  assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
})

test('the launcher skips a release that is marked bad, and takes a newer one from an upgrade over the air', () => {
  const launch = () => run(`cd / && /usr/lib/headend/launch -p 'process.cwd()'`).trim()
  assert.equal(launch(), `${RELEASES}/${NEW}`)
  run(`touch /var/lib/headend-releases/${NEW}.bad`)
  assert.equal(launch(), `${RELEASES}/${OLD}`)
  run(`touch /var/lib/headend-releases/${OLD}.bad`)
  assert.equal(launch(), `${RELEASES}/${NEW}`)
  run(`rm /var/lib/headend-releases/*.bad; cp -al ${RELEASES}/${NEW} /var/lib/headend-releases/10.0.0`)
  assert.equal(launch(), '/var/lib/headend-releases/10.0.0')
  run('rm -r /var/lib/headend-releases/10.0.0')
})

test('a downgrade is refused, and a release that no process uses is removed', async () => {
  const { status, output } = root.run(`dpkg -i ./${OLD}.deb`)
  assert.notEqual(status, 0)
  assert.match(output, /is newer than 0\.0\.9/)
  assert.match(run('dpkg -s headend'), new RegExp(`Status: install ok installed[^]*Version: ${NEW}\\n`))
  engine.kill()
  await once(engine, 'exit')
  engine = root.start('headend-engine')
  await until(() => releaseOf(engine) === NEW, 'the engine runs the new release')
  run(`apt-get -q install -y --reinstall ./${NEW}.deb || dpkg -i ./${NEW}.deb`)
  assert.deepEqual(readdirSync(root.path(RELEASES)), [NEW])
})

/** Publishes an update on the web server, lets the hub download it, and begins its installation. */
async function upgradeOverTheAir(
  server: StaticServer,
  admin: HubConnection,
  version: string,
  update: Buffer
): Promise<void> {
  const ready = await downloadUpdate(admin, server.address, publishUpdate(server, version, update, signer))
  const ended = once(hub, 'exit')
  assert.equal((await admin.send(startUpdate, { id: ready })).result, SUCCESS)
  await ended
  hub = root.start('headend')
  await waitForHub(url)
}

test('an upgrade over the air loses no frame of a running channel, and a release that does not start goes back', async () => {
  const server = await startStaticServer()
  try {
    root.write('etc/headend/trusted-keys.pem', String(exportPublicKey(publicKey)))
    root.start('headend-updater')
    hub.kill()
    await once(hub, 'exit')
    hub = root.start('headend')
    await waitForHub(url)
    const admin = connectHub(url)
    await admin.signIn()
    await until(async () => (await admin.send(updateStatus, {})).releases, 'the hub knows its release')
    counter = await startCountedChannel(admin, '-2')
    const release = root.path(`${RELEASES}/${NEW}`)
    await upgradeOverTheAir(server, admin, '10.1.0', createUpdateFrom(release, '10.1.0', signer))
    await confirmTrial(admin)
    await until(async () => (await admin.send(updateStatus, {})).releases?.[0]?.use === 'active', 'the release stays')
    assert.equal((await admin.send(updateStatus, {})).version, '10.1.0')
    const { continuityGaps, frames } = await counter.recorder.finish()
    assert.deepEqual([continuityGaps, findJumps(frames)], [0, []])
    const broken = { 'hub/main.ts': "throw new Error('this release does not start')\n" }
    await upgradeOverTheAir(server, admin, '10.2.0', createUpdateFrom(release, '10.2.0', signer, broken))
    const { version, rollback } = await admin.send(updateStatus, {})
    assert.deepEqual([version, rollback?.version, rollback?.check], ['10.1.0', '10.2.0', 'process'])
    assert.match(rollback?.lines.join('\n') ?? '', /this release does not start/)
    assert.deepEqual(readdirSync(root.path('/var/lib/headend-releases')), ['10.1.0'])
  } finally {
    await server.close()
  }
})

test('the password is reset by the launcher', async () => {
  hub.kill()
  await once(hub, 'exit')
  const reset = '/usr/lib/headend/launch hub/reset-password.ts Admin'
  run(`setpriv --reuid=headend --regid=headend --init-groups env DATA=/var/lib/headend ${reset}`)
})

test('removing keeps data and settings; purging deletes everything but the users', async () => {
  engine.kill()
  await once(engine, 'exit')
  run('apt-get -q remove -y headend')
  assert.ok(!existsSync(root.path('usr/lib/headend')))
  assert.ok(existsSync(root.path('var/lib/headend/headend.db')) || readdirSync(root.path('var/lib/headend')).length > 0)
  assert.ok(existsSync(root.path('etc/default/headend')))
  run('apt-get -q purge -y headend')
  const left = run("find /etc /usr /var -path /var/cache -prune -o -name '*headend*' -print")
  assert.equal(left, '')
})

test.run()

// The deploy files of the cloud: units, Compose file and Kubernetes manifest, each checked by its own tool, and a node
// that runs as its unit says.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import pg from 'pg'
import { runSql } from '../kit/cloud/owned-database.ts'
import { type PostgresServer, startPostgres } from '../kit/cloud/postgres.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'
import { makePair } from '../kit/tls/certificates.ts'
import { until } from '../kit/until.ts'

const PROJECT = resolve(import.meta.dirname, '../..')
const FOLDER = join(PROJECT, 'deploy/cloud')
const UNITS = ['headend-cloud', 'headend-cloud-migrate']
/** Exposure as `systemd-analyze security` counts it, times ten. */
const EXPOSURE_MAX = 16

/** Programs that check the files, with their Debian packages. */
const PROGRAMS = {
  '/usr/bin/systemd-analyze': 'systemd',
  '/usr/bin/docker-compose': 'docker-compose',
  '/usr/share/doc/python3-yaml': 'python3-yaml'
}

function missing(): string | undefined {
  for (const [path, name] of Object.entries(PROGRAMS))
    if (!existsSync(path)) return `${path} is missing. Install: apt-get install ${name}`
  return process.getuid?.() === 0 ? undefined : 'A node runs as another user only if root starts it.'
}

const test = suiteRequiring('deploy files of the cloud', missing())

const folder = mkdtempSync(join(tmpdir(), 'headend-deploy-'))
chmodSync(folder, 0o755)
test.after(() => rmSync(folder, { recursive: true }))

const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')
const unitText = (unit: string) => read(`systemd/${unit}.service`)

/** The values of a setting of a unit. */
const valuesOf = (unit: string, name: string) =>
  [...unitText(unit).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

/** The environment variables that programs of the cloud read. */
const KNOWN = new Set(
  ['main', 'options', 'migrate'].flatMap((name) =>
    [...readFileSync(join(PROJECT, `cloud/${name}.ts`), 'utf8').matchAll(/\b[A-Z]{2,}(_[A-Z]+)*\b/g)].map(
      ([word]) => word
    )
  )
)

function assertKnown(names: readonly string[]): void {
  assert.ok(names.length > 0)
  for (const name of names) assert.ok(KNOWN.has(name), `no program of the cloud reads ${name}`)
}

type Manifest = Record<string, unknown> & { apiVersion: string; kind: string }

/** Reads the documents of a YAML file with a parser that is not ours. */
function parseYaml<Document>(text: string): Document[] {
  const program = 'import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))'
  return JSON.parse(execFileSync('/usr/bin/python3', ['-c', program], { input: text, encoding: 'utf8' }))
}

test('the units are valid, and hardened as far as a node allows', () => {
  for (const unit of UNITS) {
    const path = join(folder, `${unit}.service`)
    writeFileSync(path, unitText(unit).replaceAll('/opt/headend', PROJECT))
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
    assert.deepEqual([verified.status, verified.stderr], [0, ''], unit)
    const command = ['security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, path]
    const { status, stdout } = spawnSync('systemd-analyze', command, { encoding: 'utf8' })
    assert.equal(status, 0, stdout.split('\n').slice(-3).join('\n'))
    assertKnown(
      valuesOf(unit, 'Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=')[0] ?? ''))
    )
  }
  assertKnown([...read('systemd/cloud.env').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name))
})

interface Compose {
  services: Record<string, { environment: Record<string, string>; secrets: { source: string }[] }>
  secrets: Record<string, { file: string }>
}

test('the Compose file is valid, and its nodes have the same settings but for their addresses', () => {
  const args = ['--file', join(FOLDER, 'compose.yaml'), '--profile', 'migrate', 'config']
  const [{ services, secrets } = {} as Compose] = parseYaml<Compose>(
    execFileSync('docker-compose', args, { encoding: 'utf8' })
  )
  const { migrate, ...nodes } = services
  assert.deepEqual(Object.keys(nodes), ['node1', 'node2', 'node3'])
  for (const { environment } of Object.values(services)) assertKnown(Object.keys(environment))
  const [first, ...others] = Object.values(nodes)
  const addresses = ['NODE_ADDRESS', 'PEER_ADDRESS']
  const settingsOf = (node: (typeof services)[string] | undefined) =>
    Object.entries(node?.environment ?? {}).filter(([name]) => !addresses.includes(name))
  for (const node of others) assert.deepEqual(settingsOf(node), settingsOf(first))
  const used = Object.values(services).flatMap((service) => service.secrets.map(({ source }) => source))
  assert.deepEqual([...new Set(used)].sort(), Object.keys(secrets).sort())
  // Nodes do not have the owner of the tables.
  assert.deepEqual(migrate?.secrets.map(({ source }) => source).sort(), ['database-address', 'owner-address'])
  assert.ok(!JSON.stringify(nodes).includes('owner'))
})

/** The faults that the types of Kubernetes find: fields that do not exist, and values of another type. */
function typeFaults(manifests: readonly Manifest[]): string {
  const lines = manifests.map(
    ({ apiVersion, kind, ...rest }, index) =>
      `import type { I${kind} as Type${index} } from 'kubernetes-models/${apiVersion}'\n` +
      `export const manifest${index}: Type${index} = ${JSON.stringify({ apiVersion, kind, ...rest })}\n`
  )
  // Below the project, where its packages are found.
  mkdirSync(join(PROJECT, 'build'), { recursive: true })
  const project = mkdtempSync(join(PROJECT, 'build/manifest-'))
  try {
    writeFileSync(join(project, 'manifest.ts'), lines.join(''))
    const options = { noEmit: true, strict: true, skipLibCheck: true, module: 'nodenext', types: [] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['manifest.ts'] }))
    return spawnSync(join(PROJECT, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' }).stdout
  } finally {
    rmSync(project, { recursive: true })
  }
}

test('the Kubernetes manifest has only fields and values that Kubernetes knows, and no secret', async () => {
  const manifests = parseYaml<Manifest>(read('kubernetes.yaml'))
  assert.deepEqual(
    manifests.map(({ kind }) => kind),
    ['Job', 'Deployment', 'PodDisruptionBudget', 'Service']
  )
  for (const manifest of manifests) {
    const { [manifest.kind]: Model } = await import(`kubernetes-models/${manifest.apiVersion}`)
    new Model(manifest).validate()
  }
  assert.equal(typeFaults(manifests), '')
  const [job, ...rest] = manifests
  assert.match(typeFaults([{ ...(job as Manifest), specs: {} }]), /specs/)
  const text = read('kubernetes.yaml')
  assertKnown([...text.matchAll(/- name: ([A-Z_]+)$/gm)].map(([, name = '']) => name))
  assert.ok(!JSON.stringify(rest).includes('owner'), 'nodes do not have the owner of the tables')
  assert.match(text, /replicas: 3$/m)
})

test('PostgreSQL starts with the settings for the primary, and waits for one standby of two', async () => {
  const settings = [...read('postgresql.conf').matchAll(/^(\w+) = (.+)$/gm)].map(
    ([, name = '', value = '']): [string, string] => [name, value.replace(/^'(.*)'$/, '$1')]
  )
  assert.ok(settings.length >= 6)
  const server = await startPostgres({ settings: Object.fromEntries(settings) })
  const client = new pg.Client(server.address)
  try {
    await client.connect()
    for (const [name, value] of settings) {
      const { rows } = await client.query('select current_setting($1) as setting', [name])
      assert.equal(rows[0].setting, value, name)
    }
  } finally {
    await client.end()
    await server.close()
  }
})

/** A node as its unit says: user without rights, files of secrets, environment, system calls. */
class UnitRun {
  readonly child: ChildProcess
  output = ''

  constructor(unit: string, secrets: Readonly<Record<string, string>>, settings: Readonly<Record<string, string>>) {
    const credentials = mkdtempSync(join(folder, 'credentials-'))
    const state = mkdtempSync(join(folder, 'state-'))
    for (const line of valuesOf(unit, 'LoadCredential')) {
      const [name = '', path = ''] = line.split(':')
      const file = join(credentials, name)
      writeFileSync(file, secrets[basename(path)] ?? '')
      give(file, 0o400)
    }
    give(credentials, 0o500)
    give(state, 0o700)
    const pairs = valuesOf(unit, 'Environment').flatMap((line) => line.replaceAll('%d', credentials).split(' '))
    const environment = { ...Object.fromEntries(pairs.map((pair) => pair.split('='))), CLOUD_DATA: state, ...settings }
    const own = ['--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs']
    const capabilities = ['--inh-caps=', '--ambient-caps=', '--bounding-set='].map((set) => `${set}-all`)
    const filter = ['/usr/bin/python3', 'test/kit/machine/syscall-filter.py', join(FOLDER, `systemd/${unit}.service`)]
    const start = (valuesOf(unit, 'ExecStart')[0] ?? '').replace('/opt/headend', PROJECT).split(' ')
    this.child = spawn('setpriv', [...own, ...capabilities, ...filter, ...start], {
      cwd: PROJECT,
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
  }

  /** @returns the status with which it has ended */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit')
    return this.child.exitCode
  }
}

function give(path: string, mode: number): void {
  chmodSync(path, mode)
  chownSync(path, 65534, 65534)
}

function statusOf(port: number): Promise<number | undefined> {
  return new Promise((answer) => {
    request({ host: '127.0.0.1', port, path: '/healthz', rejectUnauthorized: false, agent: false }, (response) => {
      response.resume()
      answer(response.statusCode)
    })
      .on('error', () => answer(undefined))
      .end()
  })
}

async function runUnits(server: PostgresServer): Promise<void> {
  const url = new URL((await server.createDatabase()).replace('@/', '@host/'))
  const socket = url.searchParams.get('host') ?? ''
  // Another user than that of the server connects.
  chmodSync(socket, 0o755)
  const addressOf = (user: string) => `postgres://${user}@${url.pathname}?host=${encodeURIComponent(socket)}`
  await runSql(server.address, 'create role node login')
  const { cert, key } = makePair({ name: 'localhost' })
  const secrets = {
    'owner-address': addressOf('postgres'),
    'database-address': addressOf('node'),
    'cloud.key': randomBytes(32).toString('base64'),
    'cert.pem': cert,
    'key.pem': key
  }
  const migration = new UnitRun('headend-cloud-migrate', secrets, {})
  assert.equal(await migration.ended(), 0, migration.output)
  const [port, linkPort, peerPort] = [await freeTcpPort(), await freeTcpPort(), await freeTcpPort()]
  const ports = { HOST: '127.0.0.1', PORT: `${port}`, LINK_PORT: `${linkPort}`, PEER_PORT: `${peerPort}` }
  const node = new UnitRun('headend-cloud', secrets, { ...ports, HUB_DOMAIN: 'localhost' })
  try {
    await until(async () => node.child.exitCode !== null || (await statusOf(port)) === 200, 'the node is ready')
    assert.equal(node.child.exitCode, null, node.output)
    for (const secret of Object.values(secrets)) assert.ok(!node.output.includes(secret))
    const environment = readFileSync(`/proc/${node.child.pid}/environ`, 'utf8')
    assert.ok(!environment.includes('postgres:'), 'addresses of the database are in files')
  } finally {
    node.child.kill('SIGTERM')
  }
  assert.equal(await node.ended(), 0, node.output)
}

test('migrations and a node run as their units say, with secrets from files, and end with SIGTERM', async () => {
  const server = await startPostgres()
  try {
    await runUnits(server)
  } finally {
    await server.close()
  }
})

test.run()

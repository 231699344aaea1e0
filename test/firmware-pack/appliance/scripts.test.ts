// The scripts of the appliance, run by sh with the folders of the machine in a temporary one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { root } from '../../house/sources.ts'

const test = suite('scripts of the appliance')

const FILES = join(root, 'firmware-pack/appliance/files')
const SCRIPTS = 'usr/lib/headend-appliance'
const DATABASE = 'var/lib/headend/headend.sqlite'

const folders: string[] = []
test.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A machine with an image of this name in slot A or B. */
class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), 'headend-appliance-'))

  constructor() {
    folders.push(this.folder)
    this.write('data/boot/none', '')
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  read(path: string): string | undefined {
    const file = join(this.folder, path)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }

  /** Runs a script in a slot with an image. @returns its output */
  run(script: string, slot: 'A' | 'B', image: string): string {
    const scripts = join(this.folder, SCRIPTS)
    cpSync(join(FILES, SCRIPTS), scripts, { recursive: true })
    this.write(`${SCRIPTS}/image`, `${image}\n`)
    this.write('proc/cmdline', `root=PARTLABEL=root${slot} rauc.slot=${slot} quiet\n`)
    for (const name of readdirSync(scripts)) {
      const text = readFileSync(join(scripts, name), 'utf8')
      const moved = text.replaceAll(
        /(?<=[\s"=(])\/(usr\/lib\/headend-appliance|data|var\/lib|proc)\b/g,
        `${this.folder}/$1`
      )
      writeFileSync(join(scripts, name), moved)
    }
    const { status, stdout, stderr } = spawnSync('sh', [join(scripts, script)], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    return stdout
  }
}

test('all scripts are valid for the shell that runs them', () => {
  const scripts = readdirSync(join(FILES, SCRIPTS)).filter((name) => !name.endsWith('.mts'))
  const paths = scripts.map((name) => join(SCRIPTS, name))
  for (const name of ['hooks', 'scripts/local-bottom']) paths.push(`usr/share/initramfs-tools/${name}/headend`)
  for (const path of paths) {
    const { status, stderr } = spawnSync('sh', ['-n', join(FILES, path)], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }
})

test('the database of before an update is back when its image was not marked good', () => {
  const machine = new Machine()
  machine.write('data/boot/good-A', 'old\n')
  machine.write(DATABASE, 'before')
  machine.write(`${DATABASE}-wal`, 'wal before')
  machine.run('protect-database', 'B', 'new')
  machine.write(DATABASE, 'migrated')
  machine.write(`${DATABASE}-shm`, 'of the new one')
  // The second try keeps the copy of the first one.
  machine.run('protect-database', 'B', 'new')
  assert.match(machine.run('protect-database', 'A', 'old'), /^The update failed\./)
  assert.deepEqual([machine.read(DATABASE), machine.read(`${DATABASE}-wal`)], ['before', 'wal before'])
  assert.equal(machine.read(`${DATABASE}-shm`), undefined)
  machine.write(DATABASE, 'later')
  assert.equal(machine.run('protect-database', 'A', 'old'), '')
  assert.equal(machine.read(DATABASE), 'later')
})

test('a good image keeps its database, and so does the first start of a machine', () => {
  const machine = new Machine()
  machine.run('protect-database', 'A', 'first')
  assert.deepEqual(readdirSync(join(machine.folder, 'data')), ['boot'])
  machine.write(DATABASE, 'rows')
  machine.write('data/boot/good-A', 'first\n')
  machine.run('protect-database', 'A', 'first')
  assert.deepEqual([machine.read(DATABASE), machine.read('data/trial/image')], ['rows', undefined])
})

test('a restore that was interrupted is repeated', () => {
  const machine = new Machine()
  machine.write('data/boot/good-A', 'old\n')
  machine.write(DATABASE, 'before')
  machine.run('protect-database', 'B', 'new')
  rmSync(join(machine.folder, DATABASE))
  machine.run('protect-database', 'A', 'old')
  assert.deepEqual([machine.read(DATABASE), machine.read('data/trial/image')], ['before', undefined])
})

test.run()

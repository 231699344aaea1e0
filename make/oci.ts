// `make oci`: an image for containers with the release of the Debian package, in build/, and a Containerfile with its
// context in build/oci. The same commit and the same packages of Debian give the same bytes.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { commitOf } from '../bundler/commit.ts'
import { debianSources, ownRelease } from '../firmware-pack/appliance/debian-sources.ts'
import { packageField, readDebianPackage, unpackRelease } from '../firmware-pack/debian-package.ts'
import { debianPackagePath, installOutput, outputPath } from '../firmware-pack/output.ts'
import { architectureOf } from './deb/architecture.ts'
import { packageVersion } from './deb/control.ts'
import { containerfile, DPKG_OPTIONS, imageConfig, imagePackages, SETUP } from './oci/image.ts'
import { ImageLayout } from './oci/layout.ts'

const ROOT = resolve(import.meta.dirname, '..')
/** An image has the release of this machine, because the programs are linked with its libraries. */
const DEBIAN = ownRelease() ?? 'stable'
const CONTEXT = join(ROOT, 'build/oci')

/** Parts of the Debian package beside the release: the rest is for systemd and for hubs that manage their machine. */
const PARTS: readonly string[] = ['usr/lib/headend/launch', 'usr/share/doc/headend']

const { name: architecture, sysroot } = architectureOf(ROOT, process.env.ARCH)
const version = packageVersion(ROOT)
const commit = commitOf(ROOT)
const debianPackage = readDebianPackage(debianPackagePath(ROOT))
const packages = imagePackages(packageField(debianPackage, 'Depends'))
const facts = { architecture, version, commit: commit.id, created: new Date(commit.time * 1000).toISOString() }

/** Writes the context of the Containerfile. @returns the folder with the files of Headend */
function writeContext(): string {
  rmSync(CONTEXT, { recursive: true, force: true })
  const [unpacked, root] = [join(CONTEXT, 'package'), join(CONTEXT, 'root')]
  mkdirSync(unpacked, { recursive: true })
  const move = (from: string, to: string) => {
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
  }
  // What the package's script does when it is configured.
  move(unpackRelease(debianPackage, unpacked), join(root, 'usr/lib/headend/releases', version))
  for (const part of PARTS) move(join(unpacked, part), join(root, part))
  rmSync(unpacked, { recursive: true })
  writeFileSync(join(CONTEXT, 'Containerfile'), containerfile(facts, packages, DEBIAN))
  return root
}

/** Seconds since 1970 of the last commit that changed what the first layer is: later commits leave its bytes. */
function baseTime(): number {
  const time = execFileSync('git', ['-C', ROOT, 'log', '-1', '--format=%ct', '--', 'make/oci/image.ts'])
  return Number(time) || commit.time
}

/** Installs the packages of Debian in a root. @param archive becomes its archive of tar */
function createBase(archive: string): void {
  // A container has files of its own in place of these two, which are those of this machine.
  const commands = [...SETUP, 'rm -f /etc/resolv.conf /etc/hostname']
  const args = [
    ...['--quiet', '--variant=apt', '--skip=output/dev', `--include=${packages.join()}`],
    ...DPKG_OPTIONS.map((option) => `--dpkgopt=${option}`),
    ...commands.map((command) => `--customize-hook=chroot "$1" ${command}`),
    ...[DEBIAN, archive, ...debianSources()]
  ]
  // Its mounts end with it, also when it is killed. Without root it has a namespace of its own.
  const command = [...(process.getuid?.() === 0 ? ['unshare', '--mount'] : []), 'mmdebstrap', ...args]
  execFileSync(command[0] as string, command.slice(1), {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(baseTime()) },
    stdio: ['ignore', 'ignore', 'inherit']
  })
}

/** An archive of a folder that depends on nothing but its files. */
function createArchive(folder: string, archive: string): void {
  const owner = ['--owner=0', '--group=0', '--numeric-owner', `--mtime=@${commit.time}`]
  execFileSync('tar', ['--create', '--file', archive, '--format=gnu', '--sort=name', ...owner, '-C', folder, '.'])
}

/** @param root folder with the files of Headend */
async function createImage(root: string): Promise<void> {
  const folder = join(ROOT, 'build/oci-layout')
  const archive = `${folder}.tar`
  rmSync(folder, { recursive: true, force: true })
  const layout = new ImageLayout(folder)
  createBase(archive)
  const base = { ...(await layout.addLayer(archive)), origin: `Debian ${DEBIAN}: ${packages.join(' ')}` }
  createArchive(root, archive)
  const release = { ...(await layout.addLayer(archive)), origin: `Headend ${version}` }
  const layers = [base, release]
  layout.finish(imageConfig(facts, layers), layers, architecture, `headend:${version}`)
  createArchive(folder, archive)
  rmSync(folder, { recursive: true })
  installOutput(archive, outputPath(ROOT, debianPackage, 'oci.tar', false))
}

const root = writeContext()
const obstacle = sysroot
  ? 'An image for another architecture than that of this machine needs a builder.'
  : existsSync('/usr/bin/mmdebstrap')
    ? undefined
    : 'mmdebstrap is not installed, which builds the image.'
if (obstacle) {
  const platform = `linux/${architecture}`
  console.log(
    `${obstacle} With Docker: docker build --platform ${platform} -t headend:${version} build/oci -f build/oci/Containerfile`
  )
} else await createImage(root)

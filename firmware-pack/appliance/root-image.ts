// Builds the root file system of the appliance: Debian with the package, as a SquashFS image. mmdebstrap needs no root,
// nothing is mounted on this machine, and the same packages give the same bytes.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Commit } from '../../bundler/commit.ts'
import { PackError } from '../../pack/pack-error.ts'
import { type DebianPackage, relatedPackages } from '../debian-package.ts'
import { runTool } from '../process/run-tool.ts'
import { FSTAB, raucConfig } from './boot-files.ts'
import { debianSources, ownRelease } from './debian-sources.ts'
import { sizeOf } from './disk-layout.ts'

const DEBIAN = 'bookworm'

/** What the appliance needs besides the package and those that it recommends and suggests. */
const PACKAGES: readonly string[] = [
  'busybox',
  'dbus',
  'e2fsprogs',
  'grub-common',
  'initramfs-tools',
  'kmod',
  'linux-image-amd64',
  'login',
  'passwd',
  'rauc',
  'rauc-service',
  'systemd-sysv',
  'udev',
  'wpasupplicant',
  'zstd'
]

/**
 * Files that no program of the appliance reads: documents without the licences, translations, fonts in faces that
 * Headend does not use, and graphics acceleration, which is a quarter of all bytes.
 */
const LEFT_OUT: readonly string[] = [
  'path-exclude=/usr/share/man/*',
  'path-exclude=/usr/share/locale/*',
  'path-exclude=/usr/share/doc/*',
  'path-include=/usr/share/doc/*/copyright',
  'path-exclude=/usr/share/fonts/opentype/noto/NotoSerif*',
  'path-exclude=/usr/lib/*/libLLVM-*',
  'path-exclude=/usr/lib/*/dri/*_dri.so',
  'path-exclude=/lib/modules/*/kernel/drivers/gpu/drm/amd/*',
  'path-exclude=/lib/modules/*/kernel/drivers/gpu/drm/nouveau/*',
  'path-exclude=/lib/modules/*/kernel/drivers/gpu/drm/radeon/*'
]

/** Users whose files are on the data partition, with numbers that stay the same in all images. */
const USERS: Readonly<Record<string, number>> = { headend: 801, 'headend-engine': 802, _chrony: 803 }

const UNITS = ['headend-check-grubenv.service', 'headend-issue.path', 'headend-mark-good.service']

const SCRIPT = /^(usr\/lib\/headend-appliance\/[a-z-]+|usr\/share\/initramfs-tools\/(hooks|scripts\/.*)\/headend)$/

export interface RootSettings {
  debianPackage: DebianPackage
  commit: Commit
  /** PEM with the certificate that signs bundles. */
  certificate: string
  isDevelopment: boolean
}

/** The certificates of a PEM file, without its key. @throws PackError when there is none */
export function certificatesOf(pem: string): string {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n?/g)
  if (!certificates) throw new PackError('RAUC_CERT: the file contains no certificate.')
  return certificates.join('')
}

/**
 * Writes the files of the appliance, with modes that do not depend on the umask of the clone.
 * @param certificate PEM with the certificate that signs bundles
 */
export function writeApplianceFiles(folder: string, certificate: string, isDevelopment: boolean): void {
  cpSync(join(import.meta.dirname, 'files'), folder, { recursive: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('etc/fstab', FSTAB)
  write('etc/hostname', 'headend\n')
  write('etc/hosts', '127.0.0.1 localhost\n::1 localhost\n127.0.1.1 headend\n')
  write('etc/rauc/system.conf', raucConfig())
  write('etc/rauc/keyring.pem', certificatesOf(readFileSync(certificate, 'utf8')))
  if (isDevelopment)
    write('etc/issue.d/development.issue', 'Signed with the public development key: not for production.\n\n')
  for (const path of ['boot/efi', 'data']) mkdirSync(join(folder, path), { recursive: true })
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const isExecutable = statSync(join(folder, path)).isDirectory() || SCRIPT.test(path)
    chmodSync(join(folder, path), isExecutable ? 0o755 : 0o644)
  }
  chmodSync(folder, 0o755)
}

/** Packs a folder so that all files belong to root. */
function packFolder(folder: string, archive: string): void {
  runTool('tar', ['--create', '--file', archive, '--owner=0', '--group=0', '--sort=name', '--directory', folder, '.'])
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Commands after the base system: before packages that create users, or that run scripts of the appliance. */
function essentialHooks(files: string): string[] {
  const users = Object.entries(USERS).flatMap(([name, id]) => [
    `echo '${name}:*:${id}:${id}::/nonexistent:/usr/sbin/nologin' >> "$1/etc/passwd"`,
    `echo '${name}:x:${id}:' >> "$1/etc/group"`
  ])
  return [...users, `tar-in ${quote(files)} /`]
}

/** Commands after all packages. What differs in each build, and is made again on the machine, is removed. */
function customizeHooks(): string[] {
  return [
    `chroot "$1" systemctl --quiet enable ${UNITS.join(' ')}`,
    'chroot "$1" passwd --quiet --lock root',
    ': > "$1/etc/machine-id"',
    'rm -rf "$1/var/lib/dbus/machine-id" "$1/etc/apt/sources.list" "$1/etc/apt/sources.list.d"/* "$1/etc/resolv.conf"',
    'rm -rf "$1/var/lib/systemd/random-seed" "$1/var/log"/* "$1/var/cache/ldconfig" "$1/var/cache/apt"/*',
    'rm -rf "$1/var/cache/fontconfig"/* "$1/etc/ssl/private"/* "$1/etc/passwd-" "$1/etc/shadow-" "$1/etc/group-" "$1/etc/gshadow-"',
    // Days since 1970 of a password that does not exist.
    `sed -i 's/^\\([^:]*:[^:]*\\):[0-9]*:/\\1:1:/' "$1/etc/shadow"`,
    // The name of the image, by which the machine knows whether it has been marked good before.
    'image=$(cd "$1" && find boot etc usr -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-32)' +
      '; echo "$image" > "$1/usr/lib/headend-appliance/image"'
  ]
}

/** The package as a repository for apt. @returns the line for it */
function createRepository(folder: string, { path }: DebianPackage): string {
  mkdirSync(folder)
  cpSync(path, join(folder, basename(path)))
  const index = runTool('dpkg-scanpackages', ['.'], undefined, { cwd: folder })
  writeFileSync(join(folder, 'Packages'), index)
  return `deb [trusted=yes] copy:${folder} ./`
}

/**
 * Builds the root file system. @param folder for temporary files @returns the path of a tar archive in it
 * @throws PackError when a program is missing or fails
 */
export function createRootArchive(settings: RootSettings, folder: string): string {
  const { debianPackage, commit, certificate, isDevelopment } = settings
  const [files, root] = [join(folder, 'files.tar'), join(folder, 'root.tar')]
  writeApplianceFiles(join(folder, 'files'), certificate, isDevelopment)
  packFolder(join(folder, 'files'), files)
  const repository = createRepository(join(folder, 'repository'), debianPackage)
  const related = ['Recommends', 'Suggests'].flatMap((field) => relatedPackages(debianPackage, field))
  const include = ['headend', ...related, ...PACKAGES].sort().join(',')
  const sources = ownRelease() === DEBIAN ? debianSources() : []
  const args = [
    '--quiet',
    '--variant=minbase',
    '--format=tar',
    '--architectures=amd64',
    `--include=${include}`,
    ...LEFT_OUT.map((option) => `--dpkgopt=${option}`),
    ...essentialHooks(files).map((hook) => `--essential-hook=${hook}`),
    ...customizeHooks().map((hook) => `--customize-hook=${hook}`),
    ...[DEBIAN, root, ...sources, repository]
  ]
  runTool('mmdebstrap', args, undefined, { env: { SOURCE_DATE_EPOCH: String(commit.time) }, showsErrors: true })
  return root
}

/**
 * Makes the image of a slot from an archive.
 * @param time of the image, in seconds since 1970
 * @param compression 1 to 9
 * @throws PackError when the image is larger than a slot
 */
export function createRootImage(archive: string, time: number, compression: number, image: string): void {
  // GRUB reads gzip and xz, but not zstd.
  const gzip = ['-comp', 'gzip', '-Xcompression-level', String(compression)]
  // mksquashfs ignores the root folder of an archive, and would give it the mode 0777 and the present time.
  const rootFolder = ['-root-mode', '0755', '-root-uid', '0', '-root-gid', '0']
  const fixedMetadata = ['-no-xattrs', '-mkfs-time', String(time), '-all-time', String(time), ...rootFolder]
  const args = ['-', image, '-tar', ...gzip, ...fixedMetadata, '-noappend', '-quiet', '-no-progress']
  runTool('mksquashfs', args, undefined, { stdinFile: archive })
  const { size } = statSync(image)
  if (size > sizeOf('rootA')) throw new PackError(`The root image has ${size} bytes; a slot has ${sizeOf('rootA')}.`)
}

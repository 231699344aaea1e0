import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addInput } from '../../../../contract/stream/source.ts'
import { readArchive } from '../../../../hub/export/archive.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, fill, findByRole, selectOption, waitForText } from '../../../kit/console/page.ts'
import { startSftpServer } from '../../../kit/hub/backup/sftp-server.ts'
import { until } from '../../../kit/until.ts'

const test = suite('backup')

hubForEach(test)

const { click: clickLink } = HTMLAnchorElement.prototype
test.after.each(() => {
  HTMLAnchorElement.prototype.click = clickLink
})

/** Addresses of the files that the page lets the browser download. */
function recordDownloads(): string[] {
  const links: string[] = []
  HTMLAnchorElement.prototype.click = function record(this: HTMLAnchorElement) {
    links.push(this.getAttribute('href') ?? '')
  }
  return links
}

test('an export with a passphrase is downloaded by ticket, and the passphrase is not in its address', async () => {
  const links = recordDownloads()
  await openConsole(hub, { at: ROUTES.backup })
  await click(await findByRole('checkbox', /Include passwords and keys/))
  await fill(await findByRole('textbox', 'Passphrase'), 'short')
  await click(await findByRole('button', 'Download export'))
  await waitForText(/12/)
  await fill(await findByRole('textbox', 'Passphrase'), 'a long passphrase')
  await click(await findByRole('button', 'Download export'))
  await until(() => links.length === 1, 'the download begins')
  const { pathname, search } = new URL(links[0] ?? '')
  assert.match(pathname + search, /^\/api\/file\/get\?ticket=[\w-]+$/)
  const response = await other.raw('GET', pathname + search)
  const { sealed } = await readArchive(Buffer.from(await response.arrayBuffer()))
  assert.ok(sealed)
  const lines = hub.parts.store.database.all<{ detail: string }>('SELECT detail FROM operation_log')
  assert.ok(lines.some(({ detail }) => detail === 'export, with secrets'))
  assert.ok(lines.every(({ detail }) => !detail.includes('passphrase')))
})

test('the page says that firewall and backup schedule are not in an export', async () => {
  await openConsole(hub, { at: ROUTES.backup })
  await waitForText(/network, firewall and the schedule of backups with its target stay with this hub/)
})

test('the page leads to the import', async () => {
  await openConsole(hub, { at: ROUTES.backup })
  await click(await findByRole('link', 'Import settings'))
  await waitForText(/Choose an export/)
})

test('a backup is made, and restored through the differences', async () => {
  await other.send(addInput, { name: 'Kept', config: { type: 1, url: 'udp://239.1.2.3:5004' } })
  await openConsole(hub, { at: ROUTES.backup })
  await waitForText('No backups')
  await click(await findByRole('button', 'Back up now'))
  const [restore] = await Promise.all([findByRole('button', /^Restore: headend-/)])
  await other.send(addInput, { name: 'Later', config: { type: 1, url: 'udp://239.1.2.4:5004' } })
  await click(restore)
  await click(await findByRole('button', 'Show differences'))
  await waitForText('Removed Input Later')
})

test('the schedule is saved with a target, whose password is asked for', async () => {
  await openConsole(hub, { at: ROUTES.backup })
  await click(await findByRole('checkbox', 'Make a backup every day'))
  await fill(await findByRole('textbox', 'Time of day'), '25:00')
  await selectOption(await findByRole('combobox', 'Also upload to'), 'SFTP server')
  await fill(await findByRole('textbox', 'Host'), 'nas.example')
  await fill(await findByRole('textbox', 'User'), 'backup')
  await fill(await findByRole('textbox', 'Time of day'), '04:30')
  await click(await findByRole('button', 'Save'))
  await waitForText(/Required/i)
  await fill(await findByRole('textbox', 'Password'), 'secret')
  await click(await findByRole('button', 'Save'))
  await until(() => hub.parts.backups.list().settings.enable, 'the schedule is stored')
  const { settings } = hub.parts.backups.list()
  assert.deepEqual(settings, {
    enable: true,
    time: '04:30',
    keep: 14,
    target: { kind: 'sftp', host: 'nas.example', port: 22, user: 'backup' }
  })
})

test('the host key of a server is shown by a test of the connection, and stored when the user trusts it', async () => {
  const server = await startSftpServer('backup', 'secret')
  await openConsole(hub, { at: ROUTES.backup })
  await selectOption(await findByRole('combobox', 'Also upload to'), 'SFTP server')
  await fill(await findByRole('textbox', 'Host'), '127.0.0.1')
  await fill(await findByRole('textbox', 'Port'), String(server.port))
  await fill(await findByRole('textbox', 'User'), 'backup')
  await fill(await findByRole('textbox', 'Password'), 'secret')
  await click(await findByRole('button', 'Test connection'))
  await waitForText('The hub does not trust this host key yet, and has sent no password.')
  assert.deepEqual(server.passwords, [])
  await click(await findByRole('checkbox', 'Trust this host key'))
  await click(await findByRole('button', 'Test connection'))
  await waitForText('Backups can be stored there.')
  await click(await findByRole('button', 'Save'))
  await until(() => hub.parts.backups.list()['host-key'], 'the host key is stored')
  await waitForText(hub.parts.backups.list()['host-key'] ?? '')
  server.close()
})

test.run()

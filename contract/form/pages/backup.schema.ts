// The schedule of the backups, and the server to which they are uploaded.
import { listBackups, setBackups, testBackup } from '../../backup/backup.ts'
import type { Translation } from '../../text/language.ts'
import type { DeclaredPage } from '../declaration.schema.ts'

const STAYS: Translation = ['Leave empty to keep the stored value', '留空则保留已存储的值']
const HOST_KEY: Translation = ['Host key (SHA-256)', '主机密钥 (SHA-256)']

const SFTP = { of: 'target.kind', is: ['sftp'] }
const S3 = { of: 'target.kind', is: ['s3'] }
const SERVER = { of: 'target.kind', not: ['folder'] }
const NOT_TRUSTED = { of: 'answer.outcome.is-trusted', is: [false] }

export const BACKUP_PAGE: DeclaredPage = {
  cards: [
    {
      name: 'schedule',
      title: ['Scheduled backups', '定时备份'],
      read: listBackups,
      topic: 'status',
      at: 'settings',
      save: { call: setBackups },
      parts: [
        { field: 'enable', label: ['Make a backup every day', '每天创建备份'] },
        {
          field: 'time',
          label: ['Time of day', '时间'],
          hint: ['HH:MM on the clock of the hub', 'HH:MM，以中控时钟为准']
        },
        { field: 'keep', label: ['Backups to keep', '保留份数'] },
        {
          field: 'passphrase',
          as: 'secret',
          label: ['Passphrase for passwords and keys', '用于密码和密钥的密码短语'],
          hint: [
            'With it, backups contain the passwords and keys, encrypted. Keep the passphrase in a safe place, too.',
            '设置后，备份将包含已加密的密码和密钥。请另行妥善保管密码短语。'
          ],
          stored: { of: 'has-passphrase', hint: STAYS }
        },
        {
          field: 'target.kind',
          label: ['Also upload to', '同时上传到'],
          options: {
            folder: ['Nowhere: keep on the hub', '不上传：仅保存在中控'],
            sftp: ['SFTP server', 'SFTP 服务器'],
            s3: ['S3-compatible service', 'S3 兼容服务']
          }
        },
        { field: 'target.host', label: ['Host', '主机'], when: [SFTP] },
        { field: 'target.port', label: ['Port', '端口'], default: 22, when: [SFTP] },
        { field: 'target.user', label: ['User', '用户'], when: [SFTP] },
        {
          field: 'target.endpoint',
          label: ['Address', '地址'],
          hint: ['Such as https://s3.example.com', '例如 https://s3.example.com'],
          when: [S3]
        },
        { field: 'target.region', label: ['Region', '区域'], when: [S3] },
        { field: 'target.bucket', label: ['Bucket', '存储桶'], when: [S3] },
        { field: 'target.access-key', label: ['Access key ID', '访问密钥 ID'], when: [S3] },
        {
          field: 'password',
          as: 'secret',
          label: ['Password', '密码'],
          stored: { of: 'has-password', hint: STAYS },
          when: [SFTP]
        },
        {
          field: 'password',
          as: 'secret',
          label: ['Secret access key', '私有访问密钥'],
          stored: { of: 'has-password', hint: STAYS },
          when: [S3]
        },
        { field: 'target.path', label: ['Folder', '文件夹'], when: [SERVER] },
        { fact: HOST_KEY, value: 'host-key', when: [SFTP] },
        {
          button: ['Test connection', '测试连接'],
          call: testBackup,
          fields: ['target', 'password', 'host-key'],
          when: [SERVER]
        },
        { as: 'bad', value: 'answer.outcome.reason', when: [{ of: 'answer.outcome.fault', not: [null] }] },
        {
          as: 'warn',
          text: [
            'The hub does not trust this host key yet, and has sent no password. Compare it with the output of ssh-keygen -lf on the server.',
            '中控尚未信任此主机密钥，且未发送密码。请与服务器上 ssh-keygen -lf 的输出进行核对。'
          ],
          when: [NOT_TRUSTED]
        },
        {
          as: 'good',
          text: ['Backups can be stored there.', '可以在该处保存备份。'],
          when: [
            { of: 'answer.outcome', not: [null] },
            { of: 'answer.outcome.fault', is: [null] },
            { of: 'answer.outcome.is-trusted', not: [false] }
          ]
        },
        { fact: HOST_KEY, value: 'answer.outcome.host-key', when: [NOT_TRUSTED] },
        {
          field: 'host-key',
          as: 'consent',
          from: 'answer.outcome.host-key',
          label: ['Trust this host key', '信任此主机密钥'],
          when: [NOT_TRUSTED]
        }
      ]
    }
  ]
}

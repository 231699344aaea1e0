// Cards of the general settings that only this hub has: its registration with a cloud.
import { getCloudRegistration, setCloudRegistration } from '../../cloud-registration.ts'
import { REGISTRATION_STATE } from '../../device/device.ts'
import { REFUSAL_STATE } from '../../device/link.ts'
import type { DeclaredCard, DeclaredPage } from '../declaration.schema.ts'

const { registering, pending, accepted, rejected, deleted } = REGISTRATION_STATE
const { exists, wrongCode, illegalDevice } = REFUSAL_STATE

const CLOUD: DeclaredCard = {
  name: 'cloud',
  title: ['Cloud', '云'],
  read: getCloudRegistration,
  topic: 'status',
  at: 'settings',
  save: { call: setCloudRegistration },
  find: [['Leave the cloud', '退出云']],
  parts: [
    {
      fact: ['State', '状态'],
      value: 'registration.state',
      words: 'registration.text',
      states: {
        '': ['off', ['Off', '已关闭']],
        [registering]: ['busy'],
        [pending]: ['busy'],
        [accepted]: ['good'],
        [rejected]: ['bad'],
        [deleted]: ['bad'],
        [exists]: ['bad'],
        [wrongCode]: ['bad'],
        [illegalDevice]: ['bad'],
        '*': ['warn']
      }
    },
    { fact: ['In this state', '该状态'], value: 'registration.age-s', as: 'age' },
    {
      fact: ['Connection', '连接'],
      value: 'registration.online',
      states: { true: ['good', ['Online', '在线']], false: ['bad', ['Offline', '离线']] },
      when: [{ of: 'registration.state', is: [accepted] }]
    },
    { fact: ['Reason', '原因'], value: 'registration.reason' },
    { fact: ['Serial number of this hub', '本中控的序列号'], value: 'sn' },
    { fact: ['Organization', '组织'], value: 'settings.organisation' },
    {
      field: 'enable',
      label: ['Register with a cloud', '注册到云'],
      hint: [
        'The hub connects to the cloud by itself. Users of the cloud then open its console from anywhere.',
        '中控主动连接到云，云端用户即可在任何地方打开其控制台。'
      ]
    },
    {
      field: 'host',
      label: ['Address', '地址'],
      hint: ['Name or IP address of the cloud', '云的域名或 IP 地址']
    },
    { field: 'port', label: ['Registration port', '注册端口'], hint: ['Default 8070', '默认 8070'] },
    {
      field: 'ssl',
      label: ['SSL', 'SSL'],
      hint: ['Without it, the key of the hub can be read on its way.', '关闭后，中控的密钥在传输途中可能被读取。']
    },
    {
      field: 'invitation',
      as: 'secret',
      label: ['Invitation of the cloud', '云邀请码'],
      hint: ['As the cloud shows it to its administrators', '由云的管理员在云端查看'],
      stored: {
        of: 'has-invitation',
        hint: [
          'Leave empty to keep the stored one. Another cloud needs its own.',
          '留空则保留已存储的邀请码。更换云时需填写新的邀请码。'
        ]
      }
    },
    {
      field: 'role',
      label: ['The cloud may', '云的权限'],
      hint: [
        'The hub refuses what exceeds it, whatever a user of the cloud may do there.',
        '无论用户在云端有何权限，超出此范围的操作都会被中控拒绝。'
      ],
      options: {
        view: ['See only', '仅查看'],
        operate: ['Operate', '操作'],
        administer: ['Administer', '管理']
      }
    },
    {
      button: ['Leave the cloud', '退出云'],
      call: setCloudRegistration,
      request: { enable: false, host: '' },
      danger: true,
      confirm: [
        'The hub forgets its key and the invitation. To return, it needs an invitation and has to be accepted again.',
        '中控将清除其密钥和邀请码。如需重新加入，须使用邀请码并再次获得接受。'
      ],
      success: ['The hub has left the cloud', '中控已退出云'],
      when: [{ of: 'settings.host', not: ['', null] }]
    }
  ]
}

export const GENERAL_PAGE: DeclaredPage = {
  cards: [CLOUD]
}

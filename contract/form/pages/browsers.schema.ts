// The browsers that get notifications.
import { listPushBrowsers, loadPushWorker, subscribeBrowser, unsubscribeBrowser } from '../../alert/push.ts'
import type { DeclaredCard } from '../declaration.schema.ts'

export const BROWSERS: DeclaredCard = {
  name: 'browsers',
  title: ['Browsers', '浏览器'],
  read: listPushBrowsers,
  topic: 'alert',
  parts: [
    {
      as: 'muted',
      text: [
        'Add a destination of the kind “Browser push” first. It sends to the browsers that are subscribed here.',
        '请先添加“浏览器推送”类型的目的地，它会向在此订阅的浏览器发送通知。'
      ],
      when: [{ of: 'key', is: [null] }]
    },
    {
      button: ['Subscribe this browser', '订阅此浏览器'],
      call: subscribeBrowser,
      subscribe: { key: 'key', worker: `/api${loadPushWorker.path}` },
      success: ['This browser gets notifications', '此浏览器将收到通知'],
      when: [{ of: 'key', not: [null] }]
    },
    {
      as: 'fault',
      text: [
        'This browser cannot be subscribed. Notifications need HTTPS with a certificate that the browser trusts: set it up on the page Certificate, and open this page over HTTPS. Then allow notifications for this page in the browser.',
        '无法订阅此浏览器。通知需要 HTTPS，且浏览器须信任其证书：请在“证书”页面中配置，并通过 HTTPS 打开本页面，然后在浏览器中允许此页面发送通知。'
      ],
      when: [{ of: 'answer.blocked', is: [true] }]
    },
    {
      list: 'list',
      name: 'browser',
      empty: ['No browser is subscribed.', '没有已订阅的浏览器。'],
      facts: [
        { fact: ['User', '用户'], value: 'user' },
        { fact: ['Subscribed', '订阅时间'], value: 'created', as: 'ago' }
      ],
      buttons: [
        {
          button: ['Remove', '移除'],
          call: unsubscribeBrowser,
          success: ['Browser removed', '浏览器已移除'],
          danger: true
        }
      ]
    }
  ]
}

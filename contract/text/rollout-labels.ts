// Sentences about rollouts, for the pages of the cloud and for its log.
import type { RolloutCause, RolloutHubCause } from '../cloud/rollout.ts'
import type { Translation } from './language.ts'

/** Why a hub was skipped, or why its update failed. */
export const ROLLOUT_HUB_CAUSES: Readonly<Record<RolloutHubCause, Translation>> = {
  offline: ['It is offline', '中控离线'],
  unknown: ['It is not accepted, or hidden', '中控未被接受或不可见'],
  role: ['The role of the cloud on this hub is not “Administer”', '云平台在该中控上的角色不是“管理”'],
  old: ['Its version cannot be updated from the cloud', '其版本无法从云平台更新'],
  'no-releases': ['It was not installed as a package', '中控不是以软件包安装的'],
  'no-keys': ['It trusts no signing key', '中控未信任任何签名密钥'],
  'no-server': ['It has no release server', '中控未设置发布服务器'],
  'not-offered': ['Its release server does not offer this version', '其发布服务器未提供此版本'],
  'up-to-date': ['It has this version', '中控已是此版本'],
  newer: ['It has a higher version', '中控的版本更高'],
  busy: ['It is being updated', '中控正在更新'],
  'no-answer': ['It does not answer', '中控没有响应'],
  refused: ['It has refused', '中控已拒绝'],
  interrupts: ['The update would interrupt streams', '更新会中断流'],
  download: ['The download failed', '下载失败'],
  install: ['The installation failed', '安装失败'],
  rollback: ['It went back to the version before', '中控已回退到之前的版本'],
  lost: ['It did not come back', '中控未恢复连接'],
  stuck: ['It makes no progress', '更新没有进展'],
  unhealthy: ['It did not stay connected with this version', '中控未能以此版本保持连接'],
  user: ['Nobody may ask it any more', '已无权查询该中控']
}

/** Why a rollout was stopped. */
export const ROLLOUT_CAUSES: Readonly<Record<RolloutCause, Translation>> = {
  failures: ['Stopped after failures', '因失败而停止'],
  user: [
    'Stopped: the user who started it was deleted or is no administrator any more',
    '已停止：启动更新的用户已被删除或不再是管理员'
  ],
  approval: ['Stopped: it was started more than a day ago. Resume it to continue', '已停止：启动已超过一天。请继续更新']
}

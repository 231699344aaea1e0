import type { Translation } from '../../text/language.ts'

export const OVERVIEW: Translation = ['Overview', '总览']

export const TEXT = {
  devicesOffline: ['Devices offline', '离线设备'],
  lastKnown: ['{0}, last known state', '{0}，最后已知状态'],
  allProblems: ['All problems', '全部问题'],
  noneText: ['All hubs are connected, and none reports a problem.', '所有中控均已连接，没有报告问题。']
} as const satisfies Record<string, Translation>

import type { Role } from '../../shared/domain/actor.ts'
import { AppError } from '../../shared/errors.ts'
import { CLOSE_TOKEN_REVOKED, type ServerMessage } from '../../shared/protocol.ts'
import type { Presence } from './call-context.ts'

/** What presence knows of a live connection. */
export interface PresentConnection {
  /** Set when the connection was admitted with a token. */
  readonly tokenId: string | undefined
  /** The role, once the client has said hello. */
  role(): Role | undefined
  send(message: ServerMessage): void
  refuse(error: AppError, closeCode: number): void
}

type Notice = Extract<ServerMessage, { t: 'notice' }>

/** Keeps the live connections: who is there, what everybody must be told, and whose token ended. */
export function createPresence() {
  const connections = new Set<PresentConnection>()
  const listeners = new Set<() => void>()
  let person = false

  function update(): void {
    const now = [...connections].some((connection) => connection.role() === 'user')
    if (now === person) return
    person = now
    for (const listener of [...listeners]) listener()
  }

  const presence: Presence = {
    personConnected: () => person,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  return {
    ...presence,
    add(connection: PresentConnection): void {
      connections.add(connection)
      update()
    },
    /** To be called when a connection said hello. */
    introduced: update,
    remove(connection: PresentConnection): void {
      connections.delete(connection)
      update()
    },
    /** Tells every connected person. */
    tellPeople(code: Notice['code'], text: string): void {
      for (const connection of connections)
        if (connection.role() === 'user') connection.send({ t: 'notice', code, text })
    },
    /** Tells every connected client. */
    tellAll(code: Notice['code'], text: string): void {
      for (const connection of connections)
        if (connection.role() !== undefined) connection.send({ t: 'notice', code, text })
    },
    /** Ends every connection that was admitted with this token; says how many there were. */
    closeToken(tokenId: string): number {
      const mine = [...connections].filter((connection) => connection.tokenId === tokenId)
      for (const connection of mine)
        connection.refuse(
          new AppError({
            code: 'unauthorized',
            message: 'The token of this connection was revoked.',
            hint: 'Ask the person who owns the host for a new token.',
          }),
          CLOSE_TOKEN_REVOKED,
        )
      return mine.length
    },
  }
}

/** The registry of live connections; handlers see only its `Presence` side. */
export type PresenceRegistry = ReturnType<typeof createPresence>

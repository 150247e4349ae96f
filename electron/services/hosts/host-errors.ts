import { AppError } from '../../../shared/errors.ts'

/** There is no connection that a call could take. */
export function notConnected(name: string): AppError {
  return new AppError({
    code: 'connection_lost',
    message: `${name} is not connected.`,
    hint: 'Wait until it is back, then try again.',
  })
}

/** The desk's own disk did not take what a host told. */
export function notKept(cause: unknown): AppError {
  return new AppError(
    {
      code: 'internal',
      message: 'The desk could not keep what the host told.',
      hint: 'Make sure that the disk is not full; the log tells more.',
    },
    { cause },
  )
}

/** A desk makes a token for itself only where the way to the host proves who it is. */
export function cannotPair(name: string): AppError {
  return new AppError({
    code: 'needs_token',
    message: `${name} is reached over the network, where only a token says who you are.`,
    hint: 'Make one on that machine with `handoff agentd token create --role user`, and give it to the desk.',
  })
}

/** This machine's host is neither added nor removed. */
export function alwaysThere(): AppError {
  return new AppError({
    code: 'bad_request',
    message: 'This machine is always there, as `local`.',
    hint: 'Add another machine as ssh://name or ws://name:port.',
  })
}

/** No host has this name, or no longer. */
export function unknownHost(host: string): AppError {
  return new AppError({
    code: 'host_unknown',
    message: `There is no host called ${host}.`,
    hint: 'Add it under Hosts.',
  })
}

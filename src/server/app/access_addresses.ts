import type { FastifyInstance } from 'fastify';
import { commonRightsRoutes } from '../http/access/common_rights.ts';
import { commonUserRoutes } from '../http/access/common_users.ts';
import { myZoneRoutes } from '../http/access/my_zone.ts';
import { passwordRoutes } from '../http/access/passwords.ts';
import { orgChartRoutes } from '../http/access/org_chart.ts';
import { peopleRoutes } from '../http/access/people.ts';
import { platformCalls } from '../http/access/platform_calls.ts';
import { rightsRoutes } from '../http/access/rights.ts';
import { employeeChangeRoutes } from '../http/access/employee_changes.ts';
import { secondFactorRoutes } from '../http/access/second_factor.ts';
import { sessionRoutes } from '../http/access/sessions.ts';
import { userActionRoutes } from '../http/access/user_actions.ts';
import type { SharedServices } from './shared_services.ts';
import type { Engine } from '../engine/records/engine.ts';

/** Who one is and what one may: signing in, rights, people. */
export async function accessAddresses(
  server: FastifyInstance,
  parts: SharedServices,
  { engine }: { engine: Engine },
): Promise<void> {
  const {
    config,
    services,
    store,
    menu,
    tenantScreens,
    thumbnails,
    audit,
    linkTo,
    notifications,
    platform,
    jobs,
    reading,
    screens,
    ensure,
    printing,
  } = parts;
  await server.register(sessionRoutes, { services, notifications, audit: audit.add });
  await server.register(secondFactorRoutes, {
    services,
    notifications,
    audit: audit.add,
  });
  await server.register(passwordRoutes, {
    services,
    screens: store.screens,
    notifications,
    addressOf: linkTo,
    audit: audit.add,
  });
  await server.register(platformCalls, { services, screens: store.screens, thumbnails });
  await server.register(peopleRoutes, { store, tenantScreens, engine });
  await server.register(orgChartRoutes, { store, tenantScreens, printing });
  await server.register(employeeChangeRoutes, { store, tenantScreens, engine, jobs, notifications });
  await server.register(myZoneRoutes, { environment: config.environment, menu, store, engine });
  await server.register(rightsRoutes, {
    store,
    menu,
    notifications,
    engine,
    screens,
    ensure,
    audit: audit.add,
    reading,
    forget: (schema) => services.store.forget(schema),
  });
  await server.register(commonRightsRoutes, { store, audit: audit.add });
  await server.register(commonUserRoutes, {
    engine,
    screens: store.screens,
    services,
    jobs,
    notifications,
    platform,
    addressOf: linkTo,
    audit: audit.add,
  });
  await server.register(userActionRoutes, {
    services,
    engine,
    screens: store.screens,
    notifications,
    jobs,
    addressOf: linkTo,
    audit: audit.add,
  });
}

import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { wrongRelink } from '../move_links.ts';
import { offersOfPlan } from '../plan_links.ts';

/** Each KPI of a reorganisation counts into a sheet that its member's move offers to the person (performance.md §2.7). */
export const planLinksAreOffered: Guard = {
  async check(call) {
    return (await offersOfPlan(call)).flatMap(({ links, offered }) =>
      links.flatMap((link): FieldError[] => {
        const message = offered
          ? wrongRelink([link], offered)
          : 'This member is not among the moves. Remove the KPI, or add the move.';
        return message === null ? [] : [{ field: `links.${link.at}.to_sheet_id`, message }];
      }),
    );
  },
};

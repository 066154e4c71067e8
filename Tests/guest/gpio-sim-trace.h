/*
 * build-kernel adds this to the kernel's gpio-sim.c. It writes each change of the lines' levels to the kernel's trace:
 * "levels 5" means that lines 0 and 2 are now high.
 */
#define gpio_sim_traced(chip, change)					\
	do {								\
		unsigned long before = *(chip)->value_map;		\
		change;							\
		if (*(chip)->value_map != before)			\
			trace_printk("levels %lx\n", *(chip)->value_map); \
	} while (0)

#define gpio_sim_assign(chip, offset, value) \
	gpio_sim_traced(chip, __assign_bit(offset, (chip)->value_map, value))

#define gpio_sim_replace(chip, bits, mask, count)			\
	gpio_sim_traced(chip, bitmap_replace((chip)->value_map,		\
					     (chip)->value_map, bits, mask, count))
